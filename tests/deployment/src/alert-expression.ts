/** One time series: the samples within the range of the query, the newest last. */
export interface Series {
  readonly name: string;
  readonly labels?: Labels;
  readonly values: readonly number[];
}

type Labels = Readonly<Record<string, string>>;
interface Sample {
  readonly labels: Labels;
  readonly values: readonly number[];
}
type Vector = readonly Sample[];
type Value = number | Vector;

const TOKEN =
  /\s*(?:"([^"]*)"|(\d+(?:\.\d+)?)(?![a-z])|(\[\d+[smh]\])|([a-zA-Z_]\w*)|(==|!=|!~|=~|>=|<=|[-+*/<>=(){},]))/y;
/** From the lowest precedence to the highest. */
const OPERATORS = [['or'], ['and'], ['==', '!=', '>', '<', '>=', '<='], ['+', '-'], ['*', '/']] as const;

/**
 * The forms of PromQL that deploy/monitoring/alerts.yml uses; others are an error. Returns the series that are not
 * filtered out.
 */
export function evaluate(expression: string, series: readonly Series[]): Vector {
  const answer = new Evaluation(tokensOf(expression), series).all();
  if (typeof answer === 'number') throw new Error(`${expression} is a number`);
  return answer;
}

function tokensOf(expression: string): string[] {
  const tokens: string[] = [];
  const pattern = new RegExp(TOKEN);
  while (pattern.lastIndex < expression.trimEnd().length) {
    const at = pattern.lastIndex;
    const found = pattern.exec(expression);
    if (found === null) throw new Error(`unknown form: ${expression.slice(at)}`);
    tokens.push(found[0].trim());
  }
  return tokens;
}

class Evaluation {
  private at = 0;

  constructor(
    private readonly tokens: readonly string[],
    private readonly series: readonly Series[],
  ) {}

  all(): Value {
    const value = this.binary(0);
    if (this.at < this.tokens.length) throw new Error(`unknown form: ${this.tokens.slice(this.at).join(' ')}`);
    return value;
  }

  private binary(level: number): Value {
    const operators: readonly string[] | undefined = OPERATORS[level];
    if (operators === undefined) return this.operand();
    let left = this.binary(level + 1);
    for (;;) {
      const operator = this.tokens[this.at] ?? '';
      if (!operators.includes(operator)) return left;
      this.at++;
      left = combined(operator, left, this.binary(level + 1));
    }
  }

  private operand(): Value {
    const token = this.next();
    if (/^\d/.test(token)) return Number(token);
    const following = this.tokens[this.at];
    if (following === '(' || following === 'by') return this.call(token);
    return this.selected(token);
  }

  private call(name: string): Vector {
    const by = this.accept('by') ? this.list() : [];
    this.expect('(');
    const quantile = name === 'histogram_quantile' ? Number(this.next()) : 0;
    if (name === 'histogram_quantile') this.expect(',');
    const inner = this.binary(0);
    this.expect(')');
    if (typeof inner === 'number') throw new Error(`${name} of a number`);
    if (name === 'sum') return grouped(inner, by, (values) => values.reduce((a, b) => a + b));
    if (name === 'max') return grouped(inner, by, (values) => Math.max(...values));
    if (name === 'abs') return each(inner, (values) => Math.abs(newest(values)));
    if (name === 'max_over_time') return each(inner, (values) => Math.max(...values));
    // Alerts only compare rates with each other, so the length of the range does not matter.
    if (name === 'increase' || name === 'rate') return each(inner, (values) => newest(values) - (values[0] ?? 0));
    if (name === 'histogram_quantile') return quantiles(inner, quantile);
    throw new Error(`unknown function: ${name}`);
  }

  private selected(name: string): Vector {
    const matches: ((labels: Labels) => boolean)[] = [];
    if (this.accept('{')) {
      while (!this.accept('}')) {
        const [label, operator, text] = [this.next(), this.next(), this.next().slice(1, -1)];
        matches.push((labels) => isMatch(operator, labels[label] ?? '', text));
        this.accept(',');
      }
    }
    if (this.tokens[this.at]?.startsWith('[') === true) this.at++;
    return this.series
      .filter((one) => one.name === name && matches.every((isWanted) => isWanted(one.labels ?? {})))
      .map(({ labels = {}, values }) => ({ labels, values }));
  }

  private list(): string[] {
    this.expect('(');
    const names: string[] = [];
    while (!this.accept(')')) {
      names.push(this.next());
      this.accept(',');
    }
    return names;
  }

  private next(): string {
    return this.tokens[this.at++] ?? '';
  }

  private accept(token: string): boolean {
    if (this.tokens[this.at] !== token) return false;
    this.at++;
    return true;
  }

  private expect(token: string): void {
    if (!this.accept(token)) throw new Error(`${token} expected before ${this.tokens.slice(this.at).join(' ')}`);
  }
}

function isMatch(operator: string, value: string, text: string): boolean {
  if (operator === '=') return value === text;
  if (operator === '!=') return value !== text;
  if (operator === '!~') return !new RegExp(`^(?:${text})$`).test(value);
  throw new Error(`unknown matcher: ${operator}`);
}

function newest(values: readonly number[]): number {
  return values.at(-1) ?? Number.NaN;
}

function each(vector: Vector, value: (values: readonly number[]) => number): Vector {
  return vector.map(({ labels, values }) => ({ labels, values: [value(values)] }));
}

function grouped(vector: Vector, by: readonly string[], value: (values: readonly number[]) => number): Vector {
  const groups = Map.groupBy(vector, ({ labels }) =>
    labelsKey(Object.fromEntries(by.map((name) => [name, labels[name] ?? '']))),
  );
  return [...groups.values()].map((samples) => ({
    labels: Object.fromEntries(by.map((name) => [name, samples[0]?.labels[name] ?? ''])),
    values: [value(samples.map(({ values }) => newest(values)))],
  }));
}

function labelsKey(labels: Labels): string {
  return JSON.stringify(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The upper bound of the bucket that contains the quantile. */
function quantiles(buckets: Vector, quantile: number): Vector {
  const groups = Map.groupBy(buckets, ({ labels }) => labelsKey({ ...labels, le: '' }));
  return [...groups.values()].map((group) => {
    const counts = group.map(
      ({ labels, values }) => [labels['le'] === '+Inf' ? Infinity : Number(labels['le']), newest(values)] as const,
    );
    const all = Math.max(...counts.map(([, count]) => count));
    const reached = counts.filter(([, count]) => count >= quantile * all).map(([bound]) => bound);
    return { labels: { ...group[0]?.labels, le: '' }, values: [Math.min(...reached)] };
  });
}

function combined(operator: string, left: Value, right: Value): Value {
  if (typeof left === 'number' && typeof right === 'number') throw new Error(`${operator} of two numbers`);
  if (typeof left === 'number')
    return each(asVector(right), (values) => computed(operator, left, newest(values)) ?? Number.NaN);
  const other = (labels: Labels): number | undefined =>
    typeof right === 'number' ? right : right.find((one) => labelsKey(one.labels) === labelsKey(labels))?.values.at(-1);
  if (operator === 'or')
    return [
      ...left,
      ...asVector(right).filter(({ labels }) => !left.some((one) => labelsKey(one.labels) === labelsKey(labels))),
    ];
  if (operator === 'and') return left.filter(({ labels }) => other(labels) !== undefined);
  return left.flatMap(({ labels, values }) => {
    const theirs = other(labels);
    const value = theirs === undefined ? undefined : computed(operator, newest(values), theirs);
    return value === undefined ? [] : [{ labels, values: [value] }];
  });
}

function asVector(value: Value): Vector {
  if (typeof value === 'number') throw new Error('a vector is needed');
  return value;
}

/** Comparisons keep the value on the left, or filter it out. */
function computed(operator: string, left: number, right: number): number | undefined {
  const isKept: Record<string, boolean> = {
    '>': left > right,
    '<': left < right,
    '==': left === right,
  };
  if (operator in isKept) return isKept[operator] === true ? left : undefined;
  if (operator === '*') return left * right;
  if (operator === '/') return left / right;
  throw new Error(`unknown operator: ${operator}`);
}
