"""The clients that onward is installed into: their settings, edited byte by byte, our templates for
them, and the doctor. Besides `transcripts` the only package that names a client.
"""
