"""The game without a server: static files with which a browser runs everything.

``build`` writes the folder. ``browser`` and its imports run in the browser, in Pyodide. There they
exchange messages with the code in web/src/site/.
"""
