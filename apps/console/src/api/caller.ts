// Shape of docs/openapi.yaml, as far as the console needs it.

/** Whoever is signed in. */
export interface Caller {
  readonly roles: readonly string[];
}
