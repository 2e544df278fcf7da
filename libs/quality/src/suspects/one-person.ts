const NEARLY_ALL = 0.8;

/**
 * Whether nearly all of these calls have one person in common: then nothing tells the value from this person. `calls`: the people of each call.
 */
export function haveOnePerson(calls: readonly (readonly string[])[]): boolean {
  const counts = new Map<string, number>();
  for (const people of calls) {
    for (const person of new Set(people)) counts.set(person, (counts.get(person) ?? 0) + 1);
  }
  return calls.length > 0 && Math.max(0, ...counts.values()) >= NEARLY_ALL * calls.length;
}

/** Those who are one person come after all others. */
export function suspectOrder<S extends { readonly onePerson: boolean }>(suspects: readonly S[]): readonly S[] {
  return suspects.toSorted((a, b) => Number(a.onePerson) - Number(b.onePerson));
}
