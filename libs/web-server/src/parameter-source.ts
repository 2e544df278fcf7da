/**
 * The parameters of one request as its interface writes them: where they are, and whether the case of their names counts, is its
 * business. {@link InputPipe} requests those that the class of a handler's argument declares; parameters that it does not declare are
 * left out.
 */
export abstract class ParameterSource {
  /**
   * The parameters with these names, each under the spelling that is given here. Throws a {@link Fault} when the request cannot be
   * read, or names one of them more often than its interface allows.
   */
  abstract named(names: readonly string[]): Readonly<Record<string, unknown>>;
}
