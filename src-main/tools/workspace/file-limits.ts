// How much of a file is handled at once.

/** The largest file that is read whole: the largest that can be edited. */
export const WHOLE_FILE_BYTES = 16 * 1024 * 1024;
