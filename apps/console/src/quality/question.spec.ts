import { questionOf, viewOf } from './question.js';

describe('what the view shows', () => {
  it.each([
    '',
    '?last=7d',
    '?by=site',
    '?last=1h&by=userAgent',
    '?last=7d&by=site&address=10.1.0.0%2F16&frontEnd=fe1&codec=PCMU%2F8000&userAgent=a%26b%3Dc',
    '?from=2026-11-16T00%3A00%3A00.000Z&to=2026-11-17T00%3A00%3A00.000Z&by=codec',
  ])('stands in the address: %s', (search) => {
    expect(viewOf(questionOf(search))).toBe(`/quality${search}`);
  });

  it('is subnets of the last day where nothing is said', () => {
    expect(questionOf('')).toEqual({ period: { span: '24h', from: '', to: '' }, by: 'subnet', texts: {} });
  });

  it('leaves aside what is not known, and times without a beginning', () => {
    expect(questionOf('?last=9y&by=colour&from=then&other=1')).toEqual(questionOf(''));
    expect(questionOf('?last=all')).toEqual(questionOf(''));
    expect(questionOf('?by=toString')).toEqual(questionOf(''));
    expect(questionOf('?frontEnd=%20&callId=x&verdict=bad')).toEqual(questionOf(''));
  });
});
