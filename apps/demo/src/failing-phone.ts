import type { SipFailureCount } from '@ringdown/contracts/sip-failures';
import { personNamed } from './calls/people.js';

/** The second line of a desk phone in Bergen has an old password. By the calls of the first one, it is known which device it is. */
const REGISTRATION: Omit<SipFailureCount, 'count'> = {
  method: 'REGISTER',
  status: '403',
  peer: personNamed('karl').ip,
};
const EVERY_MS = 20_000;

/** Tries to register again and again while the demo runs; what fails outside of calls is in no record. */
export class FailingPhone {
  private triedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly add: (failure: Omit<SipFailureCount, 'count'>) => void) {}

  /** `now`: milliseconds, by any clock. */
  tryUntil(now: number): void {
    if (now - this.triedAt < EVERY_MS) return;
    this.triedAt = now;
    this.add(REGISTRATION);
  }
}
