import { readFileSync } from 'node:fs';
import { CONNECTION_FIELDS, ENDPOINT_FIELDS } from '../model/field-tables.js';
import { TEXT_LIMITS } from '../model/text-limits.js';
import { ELEMENT_OF_KIND } from './event-elements.js';

/** Relative to `dist/src/xml`, the folder of the compiled test. */
const reference = readFileSync(new URL('../../../../../docs/records.md', import.meta.url), 'utf8');
const named = new Set([...reference.matchAll(/`([^`\n]+)`/g)].map(([, name]) => name));

describe('docs/records.md', () => {
  it('names every event that is read', () => {
    expect(Object.values(ELEMENT_OF_KIND).filter((name) => !named.has(name))).toEqual([]);
  });

  it('names every field of endpoints and of the connection that is read, by its element', () => {
    const fields = [...ENDPOINT_FIELDS, ...CONNECTION_FIELDS];
    expect(fields.map(({ element }) => element).filter((element) => !named.has(element))).toEqual([]);
  });

  it('contains the limits of texts and their fields', () => {
    const [, section = ''] = reference.split('### Limits of texts');
    const rows = section.split('\n### ', 1)[0]?.split('\n') ?? [];
    const fields = [...ENDPOINT_FIELDS, ...CONNECTION_FIELDS];
    for (const [kind, { characters, beyond }] of Object.entries(TEXT_LIMITS)) {
      const shown = `| ${characters.toLocaleString('en')} `;
      const row = rows.find((each) => each.includes(shown) && each.includes(beyond === 'cut' ? 'cut' : '400')) ?? '';
      const named = [...row.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
      const missing = fields.filter(
        (field) => 'limit' in field && field.limit === kind && !named.includes(field.element),
      );
      expect([kind, row === '', missing]).toEqual([kind, false, []]);
    }
  });
});
