import type { Dimension } from './catalogue.js';
import type { SearchParameters } from './searches.js';
import type { LagSeconds } from './statistics.js';
import type { Amount, AtLeastOne, Count, Integer, Share, Text, Time } from './values.js';

/** `bad`: the verdict of the call; `failed`: it failed by a fault, and not by an answer of the callee; `noAudio`: one side, or both, heard nothing */
export type SuspectProblem = 'bad' | 'failed' | 'noAudio';

export interface SuspectList {
  readonly lagSeconds?: LagSeconds;
  readonly from: Time;
  readonly to: Time;
  readonly overall: ProblemCounts;
  /** The same of the seven days before `from`; null if there were no calls */
  readonly usual: ProblemCounts | null;
  /** How many pairs of a problem and a value were tested */
  readonly tested: Count;
  /** Of more than 20,000 calls, this share was counted, always the same calls: all numbers are of these. Null: all were counted */
  readonly sampled: Share | null;
  /** Length of the parts in `hours`: at least five minutes, and so that there are 32 at most */
  readonly bucketSeconds: Integer;
  /** The most likely first; empty if no value stands out */
  readonly items: readonly Suspect[];
}

export interface ProblemCounts {
  /** Ended or failed */
  readonly finished: Count;
  /** By a fault */
  readonly failed: Count;
  /** With a verdict */
  readonly judged: Count;
  readonly bad: Count;
  /** With a verdict, or with audio that one side did not hear */
  readonly audioKnown: Count;
  readonly noAudio: Count;
}

export interface SuspectValue {
  readonly dimension: Dimension;
  /** As in the statistics */
  readonly value: Text;
}

export interface CountedSuspect extends SuspectValue {
  readonly problem: SuspectProblem;
  /** With this value, of which it is known whether they had the problem */
  readonly calls: AtLeastOne;
  /** With the problem; of a hop that refuses, those that it refused itself */
  readonly bad: AtLeastOne;
}

export interface Suspect extends CountedSuspect {
  readonly share: Share;
  /** The share is between `low` and `high` with 95 % */
  readonly low: Share;
  readonly high: Share;
  /** The share of the calls without this value and without the suspects before it: of all, or of those with another value of the dimension if it is larger */
  readonly elsewhere: Share;
  /** `share` less `elsewhere` */
  readonly excess: Share;
  /** How much better the calls are explained with this suspect: the logarithm of a ratio of likelihoods */
  readonly evidence: Amount;
  /** One person is on nearly all of these calls, and nothing tells the value from the person; such come last */
  readonly onePerson: boolean;
  /**
   * What was wrong with its newest calls with the problem, at most 200, the most frequent first: the metric of the verdict, the SIP status or `oneWay` and `silent`
   * @maxItems 3
   */
  readonly causes: readonly SuspectCause[];
  /**
   * Values with the same calls
   * @maxItems 5
   */
  readonly same: readonly SuspectValue[];
  /**
   * Values that stand out only because of these calls
   * @maxItems 5
   */
  readonly explains: readonly CountedSuspect[];
  /** When its calls began, in parts of `bucketSeconds`; those without calls are left out */
  readonly hours: readonly SuspectHour[];
  /** Finds these calls in `GET /api/calls` */
  readonly search: SearchParameters;
}

export interface SuspectCause {
  readonly cause: Text;
  readonly calls: AtLeastOne;
}

export interface SuspectHour {
  /** When the part begins */
  readonly at: Time;
  readonly calls: AtLeastOne;
  readonly bad: Count;
}
