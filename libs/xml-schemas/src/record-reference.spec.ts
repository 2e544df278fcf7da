import { readFileSync } from 'node:fs';
import { ELEMENT_OF_KIND } from './event-kinds.js';
import { CONNECTION_FIELDS, ENDPOINT_FIELDS } from './field-tables.js';

/** Compiled, this stands in `dist/src`. */
const reference = readFileSync(new URL('../../../../docs/records.md', import.meta.url), 'utf8');
const named = new Set([...reference.matchAll(/`([^`\n]+)`/g)].map(([, name]) => name));

describe('docs/records.md', () => {
  it('names every event that is read', () => {
    expect(Object.values(ELEMENT_OF_KIND).filter((name) => !named.has(name))).toEqual([]);
  });

  it('names every field of endpoints and of the connection that is read, by its element', () => {
    const fields = [...ENDPOINT_FIELDS, ...CONNECTION_FIELDS];
    expect(fields.map(({ element }) => element).filter((element) => !named.has(element))).toEqual([]);
  });
});
