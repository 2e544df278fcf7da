import { RepeatedComplaint } from './repeated-complaint.js';

describe('a complaint that repeats itself', () => {
  it('is said at once, then once in a while with how often it came', () => {
    let now = 0;
    const said: string[] = [];
    const complaint = new RepeatedComplaint(
      (kind, detail, times) => said.push(`${kind} ${detail} ${times}`),
      1_000,
      () => now,
    );
    for (const detail of ['a', 'b', 'c']) complaint.about('no HEP', detail);
    complaint.about('no SIP', 'x');
    now = 1_000;
    complaint.about('no HEP', 'd');
    expect(said).toEqual(['no HEP a 1', 'no SIP x 1', 'no HEP d 3']);
  });
});
