"""Distil: shell scripts as text: split, normal form, what a command reads and writes."""
