import { Dice } from '@ringdown/testing/fuzz/dice';
import { Linger, LINGER_MS } from './linger.js';

interface Post {
  readonly sender: object;
  readonly at: number;
}

/** Longer than a decision is remembered. */
const FORGOTTEN_MS = 250;
/** Steps of the simulated clock, milliseconds. */
const STEP_MS = 0.25;
/** Records that a collector reads in a step. */
const READ_IN_STEP = 8;

/** The queue of a publisher, with one message under way at a time, by a simulated clock. */
class Queue {
  readonly linger = new Linger();
  readonly sent: (readonly Post[])[] = [];
  /** How long the oldest record of each message waited while no message was under way. */
  readonly waited: number[] = [];
  private waiting: Post[] = [];
  private underWay: { readonly posts: readonly Post[]; readonly until: number } | undefined;
  private idleSince = 0;
  now = 0;

  constructor(private readonly storeMs: () => number) {}

  post(sender: object): Post {
    const post = { sender, at: this.now };
    this.waiting.push(post);
    this.linger.add(sender, this.now);
    return post;
  }

  isAnswered(post: Post): boolean {
    return !this.waiting.includes(post) && this.underWay?.posts.includes(post) !== true;
  }

  /** `most`: the records that fit into a message. */
  step(most = Infinity): void {
    this.now += STEP_MS;
    if (this.underWay !== undefined && this.now >= this.underWay.until) {
      for (const { sender } of this.underWay.posts) this.linger.answer(sender);
      this.underWay = undefined;
      this.idleSince = this.now;
    }
    const [oldest] = this.waiting;
    if (oldest === undefined || this.underWay !== undefined || this.linger.left(this.now, oldest.at) > 0) return;
    const posts = this.waiting.splice(0, most);
    for (const { sender } of posts) this.linger.take(sender);
    this.waited.push(this.now - Math.max(oldest.at, this.idleSince));
    this.sent.push(posts);
    this.underWay = { posts, until: this.now + this.storeMs() };
  }
}

/** Senders that post again some time after each reply. */
function runSenders(queue: Queue, senders: number, thinkMs: () => number, untilMs: number): number {
  const idle = Array.from({ length: senders }, () => ({
    sender: {},
    from: thinkMs(),
    post: undefined as Post | undefined,
  }));
  let posted = 0;
  while (queue.now < untilMs) {
    for (const each of idle) {
      if (each.post !== undefined && queue.isAnswered(each.post)) {
        each.post = undefined;
        each.from = queue.now + thinkMs();
      }
      if (each.post === undefined && queue.now >= each.from) {
        each.post = queue.post(each.sender);
        posted++;
      }
    }
    queue.step();
  }
  while (queue.sent.flat().length < posted) queue.step();
  return posted;
}

describe('the wait of records for those of other senders', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('is 4 ms at most, and each record is sent once, in order (seed %i)', (seed) => {
    const random = new Dice(seed);
    const queue = new Queue(() => random.below(24) / 4);
    const posts: Post[] = [];
    const senders = Array.from({ length: 1 + random.below(40) }, () => ({}));
    for (let step = 0; step < 4_000; step++) {
      if (random.onceIn(1 + random.below(30))) {
        const sender = random.of(senders);
        for (let n = random.onceIn(5) ? random.below(20) : 1; n > 0; n--) posts.push(queue.post(sender));
      }
      queue.step(1 + random.below(16));
    }
    while (queue.sent.flat().length < posts.length) queue.step(16);
    expect(queue.sent.flat()).toEqual(posts);
    expect(Math.max(...queue.waited)).toBeLessThanOrEqual(LINGER_MS + STEP_MS);
  });

  it('is none for a sender with one post at a time, also with many records in each', () => {
    const queue = new Queue(() => 1);
    const sender = {};
    let post = queue.post(sender);
    while (queue.now < 500) {
      queue.step();
      if (queue.isAnswered(post)) for (let n = 0; n < 10; n++) post = queue.post(sender);
    }
    expect(Math.max(...queue.waited)).toBeLessThanOrEqual(STEP_MS);
  });

  it('is none for two senders', () => {
    const queue = new Queue(() => 1);
    runSenders(queue, 2, () => 3, 500);
    expect(Math.max(...queue.waited)).toBeLessThanOrEqual(STEP_MS);
  });

  it('ends when as many senders wait as before', () => {
    const queue = new Queue(() => 1);
    const posted = runSenders(queue, 15, () => 1, 1_000);
    // The first one did not know of others.
    expect(posted / queue.sent.length).toBeGreaterThan(14);
    expect(queue.waited.filter((waited) => waited >= LINGER_MS)).toEqual([]);
  });

  it('ends when half of many senders wait, so that the records of some are read while those of others are stored', () => {
    const queue = new Queue(() => 1);
    let stepsWithoutWork = 0;
    // One reader: a sender is answered and heard again after those before it.
    const senders = Array.from({ length: 64 }, () => ({}));
    let underWay = senders.map((sender) => queue.post(sender));
    while (queue.now < 1_000) {
      queue.step();
      const read = underWay.filter((post) => queue.isAnswered(post)).slice(0, READ_IN_STEP);
      if (read.length === 0) stepsWithoutWork++;
      underWay = [...underWay.filter((post) => !read.includes(post)), ...read.map(({ sender }) => queue.post(sender))];
    }
    // Those in which the first message is stored.
    expect(stepsWithoutWork).toBeLessThan(10);
    expect(queue.sent.length).toBeLessThan(1_100);
  });

  it('makes fewer messages of records that come at a steady pace', () => {
    const messages = (pace: number): number => {
      const queue = new Queue(() => 1);
      for (let n = 0; queue.now < 1_000; n++) {
        while (queue.now < n / pace) queue.step();
        queue.post({});
      }
      return queue.sent.length;
    };
    // Two records a millisecond; without a wait, each message has those of the millisecond in which the one before was stored.
    expect(messages(2)).toBeLessThan(300);
  });

  it('is none again when the other senders have posted nothing for a while', () => {
    const queue = new Queue(() => 1);
    runSenders(queue, 20, () => 1, 300);
    const end = queue.now + FORGOTTEN_MS;
    while (queue.now < end) queue.step();
    const before = queue.waited.length;
    queue.post({});
    queue.step();
    expect(queue.waited.slice(before)).toEqual([0.25]);
  });
});
