/** Calls, and how many of them had a problem. */
export interface Tally {
  readonly calls: number;
  readonly troubled: number;
}

export function troubledShare({ calls, troubled }: Tally): number {
  return calls === 0 ? 0 : troubled / calls;
}
