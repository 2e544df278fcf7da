/** A wrong command line. Programs print the message with their usage, and exit with code 2, as for wrong settings. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
