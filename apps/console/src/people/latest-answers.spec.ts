import { LatestAnswers } from './latest-answers.js';

describe('LatestAnswers', () => {
  let shown: string[];
  let answers: LatestAnswers;
  beforeEach(() => {
    shown = [];
    answers = new LatestAnswers();
  });
  const ask = (question: string): PromiseWithResolvers<string> & { readonly taken: Promise<void> } => {
    const answer = Promise.withResolvers<string>();
    return { ...answer, taken: answers.showLatest(question, answer.promise, (value) => shown.push(value)) };
  };

  it('ignores an older answer that arrives later', async () => {
    const [first, second] = [ask('note'), ask('note')];
    second.resolve('new');
    await second.taken;
    first.resolve('old');
    await first.taken;
    expect(shown).toEqual(['new']);
  });

  it('shows answers that arrive in order', async () => {
    const [first, second] = [ask('note'), ask('note')];
    first.resolve('old');
    await first.taken;
    second.resolve('new');
    await second.taken;
    expect(shown).toEqual(['old', 'new']);
  });

  it('shows the older answer if the newer fails', async () => {
    const [first, second] = [ask('note'), ask('note')];
    second.reject(new Error('away'));
    await expect(second.taken).rejects.toThrow('away');
    first.resolve('old');
    await first.taken;
    expect(shown).toEqual(['old']);
  });

  it('treats different questions separately', async () => {
    const [first, other] = [ask('note'), ask('location')];
    other.resolve('Oslo');
    await other.taken;
    first.resolve('old');
    await first.taken;
    expect(shown).toEqual(['Oslo', 'old']);
  });
});
