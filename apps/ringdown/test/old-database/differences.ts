/** Where two answers in JSON differ, without the numbers of list items, each place once. */
export function differences(path: string, before: string, after: string): readonly string[] {
  const found = new Set<string>();
  compare(JSON.parse(before), JSON.parse(after), '', (place) => found.add(`${requestKind(path)}: ${place}`));
  return [...found];
}

/** The CSV has new columns at the end; a line may break inside of a value, but the first line of a row is as it was. */
export function csvDifferences(path: string, before: string, after: string): readonly string[] {
  const lines = after.split('\r\n');
  const changed = before.split('\r\n').filter((line, index) => lines[index]?.startsWith(line) !== true);
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
