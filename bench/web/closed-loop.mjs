// Clients that send the next request as soon as they have a reply.
const WARM_UP = 50;

/** Returns `{ perSecond, p50, p99 }`, the latter two in milliseconds. `send` gets a number that is unique, from `first` on. */
export async function closedLoop(send, { clients, seconds, first = 0 }) {
  let number = first;
  for (let n = 0; n < WARM_UP; n++) await send(number++);
  const times = [];
  const began = performance.now();
  const until = began + seconds * 1_000;
  const client = async () => {
    while (performance.now() < until) {
      const sentAt = performance.now();
      await send(number++);
      times.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const perSecond = (times.length * 1_000) / (performance.now() - began);
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.floor(times.length * share)];
  return { perSecond, p50: at(0.5), p99: at(0.99) };
}
