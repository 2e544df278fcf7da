import { shortestMs, type Answer, type SystemClient } from '@ringdown/testing';

/** An answer may take so long, and one that has nothing to do with it be delayed by that. Before, each attack took half a minute or more. */
export const AT_ONCE_MS = 1_000;

/**
 * What the attack is answered with. Rejects when that takes more than a second, or an answer does that a neighbour asked for
 * at the same moment, each time that it is tried: a machine that is busy with other things answers in time once.
 */
export async function answeredAtOnce(neighbour: SystemClient, attack: () => Promise<Answer>): Promise<Answer> {
  let answer: Answer | undefined;
  const slowest = await shortestMs(AT_ONCE_MS, async () => {
    const begun = performance.now();
    const took = async (asked: Promise<Answer>): Promise<[Answer, number]> => [await asked, performance.now() - begun];
    const [own, [others, othersMs]] = await Promise.all([took(attack()), took(neighbour.ask('/'))]);
    if (others.status !== 200) throw new Error(`the neighbour is answered with ${others.status}`);
    [answer] = own;
    return Math.max(own[1], othersMs);
  });
  if (answer === undefined || slowest >= AT_ONCE_MS)
    throw new Error(`the answer took ${Math.round(slowest)} ms at least`);
  return answer;
}

/** How long the slowest answer takes to a neighbour who asks again and again during the attack, milliseconds. */
export async function slowestAnswer(neighbour: SystemClient, attack: () => Promise<unknown>): Promise<number> {
  let slowest = 0;
  const over = new AbortController();
  const attacked = attack().finally(() => over.abort());
  do {
    const begun = performance.now();
    const { status } = await neighbour.ask('/');
    if (status !== 200) throw new Error(`the neighbour is answered with ${status}`);
    slowest = Math.max(slowest, performance.now() - begun);
  } while (!over.signal.aborted);
  await attacked;
  return slowest;
}
