/** Folders of files: looked through, followed, confined, read and written with care. Knows no format. */
export {};
