import { setting } from '@ringdown/settings';

/** Shorter seeds can be found by trying. */
export const SHORTEST_SEED = 16;

const seed = setting.text('IDENTITY_SEED', {
  task: 'privacy',
  about: `Secret for hiding users in exports and for subscribers; at least ${SHORTEST_SEED} characters`,
  secret: true,
});

export const identitySettings = {
  identitySeed: setting.optional({
    ...seed,
    parse: (text: string) => {
      if (text.length < SHORTEST_SEED) throw new Error(`needs at least ${SHORTEST_SEED} characters`);
      return seed.parse(text);
    },
  }),
};
