"""HTTP and websockets: the application, its routes, and the processes that run it."""
