/**
 * The parameters of one request as its interface defines them: it decides where they are, and whether the case of their
 * names counts. {@link InputPipe} requests the parameters that the class of a handler's argument declares; others are
 * ignored.
 */
export abstract class ParameterSource {
  /**
   * The parameters with these names, each under the spelling that is given here. Throws a {@link Fault} when the
   * request cannot be read, or repeats one of them more often than its interface allows.
   */
  abstract named(names: readonly string[]): Readonly<Record<string, unknown>>;
}
