"""Install: other people's settings edited byte by byte, our templates, and the doctor.

The only room besides `agents` that names a client.
"""
