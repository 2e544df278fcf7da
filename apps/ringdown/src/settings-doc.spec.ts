import { readFileSync } from 'node:fs';
import { settingsPage } from './settings-doc.js';

describe('docs/settings.md', () => {
  it('lists the settings that the programs read (npm run docs:settings writes it again)', () => {
    expect(readFileSync(new URL('../../../../docs/settings.md', import.meta.url), 'utf8')).toBe(settingsPage());
  });
});
