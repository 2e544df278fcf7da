import { NewestAnswers } from './newest-answers.js';

describe('of answers to the same question', () => {
  let shown: string[];
  let answers: NewestAnswers;
  beforeEach(() => {
    shown = [];
    answers = new NewestAnswers();
  });
  const ask = (question: string): PromiseWithResolvers<string> & { readonly taken: Promise<void> } => {
    const answer = Promise.withResolvers<string>();
    return { ...answer, taken: answers.take(question, answer.promise, (value) => shown.push(value)) };
  };

  it('an older one that comes later is not shown any more', async () => {
    const [first, second] = [ask('note'), ask('note')];
    second.resolve('new');
    await second.taken;
    first.resolve('old');
    await first.taken;
    expect(shown).toEqual(['new']);
  });

  it('each is shown that comes in turn', async () => {
    const [first, second] = [ask('note'), ask('note')];
    first.resolve('old');
    await first.taken;
    second.resolve('new');
    await second.taken;
    expect(shown).toEqual(['old', 'new']);
  });

  it('the older one is shown where the newer fails', async () => {
    const [first, second] = [ask('note'), ask('note')];
    second.reject(new Error('away'));
    await expect(second.taken).rejects.toThrow('away');
    first.resolve('old');
    await first.taken;
    expect(shown).toEqual(['old']);
  });

  it('those to others do not count', async () => {
    const [first, other] = [ask('note'), ask('location')];
    other.resolve('Oslo');
    await other.taken;
    first.resolve('old');
    await first.taken;
    expect(shown).toEqual(['Oslo', 'old']);
  });
});
