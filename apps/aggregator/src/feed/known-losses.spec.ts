import { lossProblem, type KnownLosses } from './known-losses.js';

const NONE: KnownLosses = {
  missingRecords: 0,
  droppedMessages: 0,
  shortened: 0,
  shortenedMessages: 0,
  shortenedAt: undefined,
};

describe('the account of losses', () => {
  it('names no problem when nothing is lost, or nothing is counted yet', () => {
    expect(lossProblem(NONE)).toBeUndefined();
    expect(lossProblem({ ...NONE, missingRecords: null })).toBeUndefined();
  });

  it('names records that are missing although the bus has dropped nothing', () => {
    expect(lossProblem({ ...NONE, missingRecords: 211 })).toBe(
      'within a day, at least: 211 accepted records were lost by the bus before they were read',
    );
  });

  it('names all that is known of one loss', () => {
    const all = { missingRecords: 7, droppedMessages: 3, shortened: 1, shortenedMessages: 9, shortenedAt: 0 };
    expect(lossProblem(all)).toBe(
      'within a day, at least: 7 accepted records were lost by the bus before they were read; ' +
        'the bus dropped 3 messages before they were read; the bus came back without its newest messages (times: 1)',
    );
  });
});
