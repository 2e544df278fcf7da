/** What ended a call. */
export const END_REASONS = ['ended', 'error', 'reported', 'expired'] as const;

export const ENDED_BY = ['caller', 'callee'] as const;

/** How many of the directions of its media were judged. */
export const COVERAGES = ['both', 'one', 'none'] as const;

export const MEDIA_PATHS = ['direct', 'relay'] as const;

export const FLAGS = ['true', 'false'] as const;
