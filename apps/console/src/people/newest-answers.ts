/** Of several answers to the same question the one that was asked for last counts, of those that come. */
export class NewestAnswers {
  private asked = 0;
  /** When what is shown was asked for, by question. */
  private readonly shown = new Map<string, number>();

  /** Waits for the answer, and shows it where no newer one is shown. Rejects as the answer does. */
  async take<T>(question: string, answer: Promise<T>, show: (value: T) => void): Promise<void> {
    const turn = ++this.asked;
    const value = await answer;
    if (turn < (this.shown.get(question) ?? 0)) return;
    this.shown.set(question, turn);
    show(value);
  }
}
