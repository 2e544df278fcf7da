import { callTabTitle, callTitle } from './call-title.js';

describe('the title of a call', () => {
  it.each([
    [[{ uri: 'sip:anna@example.test' }, { uri: 'sip:ben@example.test' }], 'anna@example.test → ben@example.test'],
    [[{ uri: 'sip:anna@example.test' }, { ip: '192.0.2.1' }, {}], 'anna@example.test → 192.0.2.1, unknown'],
    [[{ uri: 'sip:anna@example.test' }], 'anna@example.test → unknown'],
    [[], 'unknown → unknown'],
    [[{ uri: 'sip:o\u202Eevil@example.test' }], 'o\uFFFDevil@example.test → unknown'],
  ])('names its parties %#', (parties, title) => {
    expect(callTitle({ parties })).toBe(title);
  });

  it('of the tab says how it went', () => {
    const parties = [{ uri: 'sip:anna@example.test' }];
    const names = 'anna@example.test → unknown';
    expect(callTabTitle({ parties, state: 'failed', verdict: 'unknown' })).toBe(`${names}, failed – Ringdown`);
    expect(callTabTitle({ parties, state: 'ended', verdict: 'bad' })).toBe(`${names}, bad, ended – Ringdown`);
  });

  it('of the tab is short, however long the names are', () => {
    const title = callTabTitle({ parties: [{ uri: `sip:${'x'.repeat(10_000)}` }], state: 'active', verdict: 'good' });
    expect(title).toBe(`${'x'.repeat(120)}…, active – Ringdown`);
  });
});
