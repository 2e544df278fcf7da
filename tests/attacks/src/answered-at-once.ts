import type { Answer, SystemClient } from '@ringdown/testing/launched-system';
import { shortestMs } from '@ringdown/testing/timing';

/**
 * The limit for a response, and for the delay of unrelated requests. Before the fixes, each attack took half a minute
 * or more.
 */
export const AT_ONCE_MS = 1_000;

/**
 * The response to the attack. Rejects when it takes more than a second, or when a request that a neighbour sends at the
 * same moment does, in every one of several tries: even a machine that is busy with other work responds in time once.
 */
export async function answeredAtOnce(neighbour: SystemClient, attack: () => Promise<Answer>): Promise<Answer> {
  let answer: Answer | undefined;
  const slowest = await shortestMs(AT_ONCE_MS, async () => {
    const begun = performance.now();
    const took = async (request: Promise<Answer>): Promise<[Answer, number]> => [
      await request,
      performance.now() - begun,
    ];
    const [own, [others, othersMs]] = await Promise.all([took(attack()), took(neighbour.request('/'))]);
    if (others.status !== 200) throw new Error(`the neighbour is answered with ${others.status}`);
    [answer] = own;
    return Math.max(own[1], othersMs);
  });
  if (answer === undefined || slowest >= AT_ONCE_MS)
    throw new Error(`the answer took ${Math.round(slowest)} ms at least`);
  return answer;
}

/** The slowest response to a neighbour who sends requests repeatedly during the attack, milliseconds. */
export async function slowestAnswer(neighbour: SystemClient, attack: () => Promise<unknown>): Promise<number> {
  let slowest = 0;
  const over = new AbortController();
  const attacked = attack().finally(() => over.abort());
  do {
    const begun = performance.now();
    const { status } = await neighbour.request('/');
    if (status !== 200) throw new Error(`the neighbour is answered with ${status}`);
    slowest = Math.max(slowest, performance.now() - begun);
  } while (!over.signal.aborted);
  await attacked;
  return slowest;
}
