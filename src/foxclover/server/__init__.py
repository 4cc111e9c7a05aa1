"""The game in the browser: an authority over tables, their log on disk, and the page.

``run.serve`` starts it.
"""
