"""The game without a server: a folder of files in which a browser does everything, written by ``build``.

``browser`` and what it imports run in the browser, in Pyodide; web/src/site/ is what they talk to there.
"""
