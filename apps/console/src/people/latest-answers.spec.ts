import { LatestAnswers } from './latest-answers.js';

describe('LatestAnswers', () => {
  let shown: string[];
  let answers: LatestAnswers;
  beforeEach(() => {
    shown = [];
    answers = new LatestAnswers();
  });
  const request = (question: string): PromiseWithResolvers<string> & { readonly settled: Promise<void> } => {
    const answer = Promise.withResolvers<string>();
    return { ...answer, settled: answers.showLatest(question, answer.promise, (value) => shown.push(value)) };
  };

  it('ignores an older answer that arrives later', async () => {
    const [first, second] = [request('note'), request('note')];
    second.resolve('new');
    await second.settled;
    first.resolve('old');
    await first.settled;
    expect(shown).toEqual(['new']);
  });

  it('shows answers that arrive in order', async () => {
    const [first, second] = [request('note'), request('note')];
    first.resolve('old');
    await first.settled;
    second.resolve('new');
    await second.settled;
    expect(shown).toEqual(['old', 'new']);
  });

  it('shows the older answer if the newer fails', async () => {
    const [first, second] = [request('note'), request('note')];
    second.reject(new Error('away'));
    await expect(second.settled).rejects.toThrow('away');
    first.resolve('old');
    await first.settled;
    expect(shown).toEqual(['old']);
  });

  it('treats different questions separately', async () => {
    const [first, other] = [request('note'), request('location')];
    other.resolve('Oslo');
    await other.settled;
    first.resolve('old');
    await first.settled;
    expect(shown).toEqual(['Oslo', 'old']);
  });
});
