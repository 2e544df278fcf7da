/** A wrong command line. Programs print the message with their usage, and end with exit code 2, as they do for wrong settings. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
