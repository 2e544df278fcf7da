import type { FactoryProvider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { derived, derivedFrom, provideClass } from './provide-class.js';

interface Limits {
  readonly seconds: number;
  readonly name: string | undefined;
}

const LIMITS = Symbol('limits');
const fromLimits = derivedFrom<Limits>(LIMITS);

class Clock {
  private readonly startedAt = 7;
  now(): number {
    return this.startedAt;
  }
}

class Store {
  constructor(
    readonly clock: Clock,
    readonly milliseconds = 1,
  ) {}
}

class Task {
  constructor(readonly options: { store: Store; name: string | undefined; now: () => number; retries?: number }) {}
}

const provideTask = (): FactoryProvider<Task> =>
  provideClass(Task, {
    store: Store,
    name: fromLimits('name'),
    now: derived(Clock, (clock) => () => clock.now()),
  });

async function task(...providers: FactoryProvider[]): Promise<Task> {
  const limits: Limits = { seconds: 3, name: 'three' };
  const root = {
    module: class Root {},
    providers: [Clock, { provide: LIMITS, useValue: limits }, ...providers, provideTask()],
  };
  const application = await NestFactory.createApplicationContext(root, { logger: false });
  return application.get(Task);
}

describe('provideClass', () => {
  it('fills parameters and named dependencies from tokens and derived values', async () => {
    const seconds = fromLimits(({ seconds }) => seconds * 1_000);
    const { options } = await task(provideClass(Store, Clock, seconds));
    expect(options).toEqual({ store: expect.any(Store), name: 'three', now: expect.any(Function) });
    expect(options.store).toMatchObject({ clock: expect.any(Clock), milliseconds: 3_000 });
    expect(options.now()).toBe(7);
  });

  it('leaves optional parameters to their defaults', async () => {
    const { options } = await task(provideClass(Store, Clock));
    expect(options.store.milliseconds).toBe(1);
  });

  it('does not compile with a missing dependency or one of another type', () => {
    // @ts-expect-error -- a Store needs a Clock
    expect(provideClass(Store)).toHaveProperty('provide', Store);
    // @ts-expect-error -- a Task is no Clock
    expect(provideClass(Store, Task)).toHaveProperty('provide', Store);
    // @ts-expect-error -- the name is a text
    expect(provideClass(Store, Clock, fromLimits('name'))).toHaveProperty('provide', Store);
    // @ts-expect-error -- without its store
    expect(provideClass(Task, { name: fromLimits('name'), now: LIMITS })).toHaveProperty('provide', Task);
    // @ts-expect-error -- an unknown name
    expect(provideClass(Task, { store: Store, name: LIMITS, now: LIMITS, later: LIMITS })).toBeDefined();
  });
});
