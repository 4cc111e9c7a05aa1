// Apply the chosen theme before anything is drawn: the page itself starts later.
try {
  const theme = localStorage.getItem("foxclover.theme");
  if (theme === '"dark"' || theme === '"light"') {
    document.documentElement.dataset.theme = JSON.parse(theme);
  }
} catch {
  // storage is forbidden: the theme of the system
}
