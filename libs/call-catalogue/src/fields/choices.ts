/** What ended a call. */
export const END_REASONS = ['ended', 'error', 'reported', 'expired'] as const;

export const ENDED_BY = ['caller', 'callee'] as const;

/** How many of the directions of its media were judged. */
export const COVERAGES = ['both', 'one', 'none'] as const;

export const MEDIA_PATHS = ['direct', 'relay'] as const;

export const FLAGS = ['true', 'false'] as const;

/** What was wrong with the audio of a call: one side heard nothing, or both. */
export const AUDIO = ['oneWay', 'silent'] as const;

/** How that is known (docs/records.md, "One-way and silent audio"). */
export const AUDIO_EVIDENCE = ['noPackets', 'allLost', 'notCaptured', 'constantLevel', 'noMedia'] as const;

/** Of what is only known where it is so. */
export const KNOWN = ['true'] as const;

/**
 * SIP statuses by which a person, a phone or a number answers, and no fault (RFC 3261, 21.4 and 21.6; RFC 8197; RFC 8688): gone, busy,
 * away, unknown, incomplete, cancelled, declined.
 */
export const CALLERS_OUTCOMES: readonly number[] = [404, 410, 480, 484, 486, 487, 600, 603, 604, 607, 608];
