import { setting } from '@ringdown/settings';

const MAX = 1_000_000;

export const signInLimitSettings = {
  perAddress: setting.integer('SIGN_INS_PER_ADDRESS', {
    task: 'signIn',
    default: 600,
    min: 1,
    max: MAX,
    about: 'Token requests a minute from one address (IPv6: one /64), counted by each replica separately',
  }),
  perAccount: setting.integer('SIGN_INS_PER_ACCOUNT', {
    task: 'signIn',
    default: 300,
    min: 1,
    max: MAX,
    about:
      'Sign-ins a minute with one username, successful or not, and of new guests of one meeting, on all replicas together',
  }),
  failuresPerAccount: setting.integer('SIGN_IN_FAILURES', {
    task: 'signIn',
    default: 10,
    min: 1,
    max: MAX,
    about: 'Wrong passwords after which an account is locked, on all replicas together',
  }),
  failureSeconds: setting.integer('SIGN_IN_FAILURE_SECONDS', {
    task: 'signIn',
    default: 900,
    min: 1,
    max: 86_400,
    about: 'How long wrong passwords count, from the first; seconds',
  }),
};
