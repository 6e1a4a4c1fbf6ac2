"""The portal: screens for people, drawn on the server; knows the service's use cases, never a stage."""
