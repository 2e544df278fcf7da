/**
 * Where two answers in JSON differ, without the numbers of list items, each place once. Calls of the list with that id are left out of
 * both.
 */
export function differences(path: string, before: string, after: string, leftOut: string): readonly string[] {
  const found = new Set<string>();
  const [one, other] = [before, after].map((text) => JSON.parse(text, (_name, value) => without(value, leftOut)));
  compare(one, other, '', (place) => found.add(`${requestKind(path)}: ${place}`));
  return [...found];
}

function without(value: unknown, callId: string): unknown {
  return Array.isArray(value)
    ? value.filter((each) => !(isObject(each) && 'callId' in each && each.callId === callId))
    : value;
}

/** A row up to its version, and what follows it. */
const VERSION = /^((?:[^,"]*,){12})\d+(,.*)$/;

/**
 * The CSV has new columns at the end, and each call has a new version; a line may break inside of a value, but the first line of a
 * row is as it was.
 */
export function csvDifferences(path: string, before: string, after: string, leftOut: string): readonly string[] {
  const rows = (text: string): readonly string[] =>
    text
      .split('\r\n')
      .filter((line) => !line.startsWith(`${leftOut},`))
      .map((line) => line.replace(VERSION, '$1VERSION$2'));
  const lines = rows(after);
  const changed = rows(before).filter((line, index) => lines[index]?.startsWith(line) !== true);
  return changed.map((line) => `${path}: ${line}`);
}

function requestKind(path: string): string {
  return path.replace(/^\/api\/calls\/[^/?]+/, '/api/calls/ID').replace(/[?&]identities=hidden$/, ', hidden');
}

function compare(before: unknown, after: unknown, place: string, note: (place: string) => void): void {
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length !== after.length) note(`${place}.length`);
    for (const [index, each] of before.entries()) compare(each, after[index], `${place}[]`, note);
  } else if (isObject(before) && isObject(after)) {
    const [one, other] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
    for (const name of new Set([...one.keys(), ...other.keys()]))
      compare(one.get(name), other.get(name), `${place}.${name}`, note);
  } else if (before !== after) note(place);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
