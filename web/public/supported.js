/**
 * Shows a sentence in browsers that are too old for the page, see "Browsers" in web/README.md.
 * Plain ES5, in a file of its own: it runs where the page cannot, and inline scripts are forbidden.
 */
(function () {
  var css = window.CSS;
  var newEnough =
    "noModule" in document.createElement("script") &&
    css &&
    css.supports &&
    css.supports("color", "light-dark(red, red)") &&
    css.supports("selector(:popover-open)");
  if (!newEnough) {
    document.getElementById("not-started").hidden = true;
    document.getElementById("too-old").hidden = false;
  }
})();
