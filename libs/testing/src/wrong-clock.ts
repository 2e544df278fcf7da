type Environment = Readonly<Record<string, string>>;

/** The environment of a Node process whose clock is ahead by this many seconds, or behind if negative. */
export function clockThatIsWrong(seconds: number): Environment {
  return clockAheadBy(`${seconds * 1_000}`);
}

/** The same for a clock that is correct at first, then alternately wrong and correct at each SIGUSR2 to the process. */
export function clockThatJumps(seconds: number): Environment {
  return clockAheadBy(
    'aheadMs',
    `let aheadMs = 0; process.on('SIGUSR2', () => (aheadMs = ${seconds * 1_000} - aheadMs));`,
  );
}

function clockAheadBy(milliseconds: string, before = ''): Environment {
  const program = `
    ${before}
    const RightDate = Date;
    const now = () => RightDate.now() + ${milliseconds};
    globalThis.Date = class extends RightDate {
      constructor(...parts) { if (parts.length === 0) super(now()); else super(...parts); }
      static now() { return now(); }
    };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` };
}
