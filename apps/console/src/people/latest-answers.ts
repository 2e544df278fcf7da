/** Shows the answer to the latest request for the same question. */
export class LatestAnswers {
  private requests = 0;
  /** When the shown answer was requested, by question. */
  private readonly shown = new Map<string, number>();

  /** Waits for the answer, and shows it unless a newer one is shown. Rejects as the answer does. */
  async showLatest<T>(question: string, answer: Promise<T>, show: (value: T) => void): Promise<void> {
    const request = ++this.requests;
    const value = await answer;
    if (request < (this.shown.get(question) ?? 0)) return;
    this.shown.set(question, request);
    show(value);
  }
}
