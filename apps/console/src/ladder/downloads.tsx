import { useState, type ReactNode } from 'react';
import { saveFile } from '../parts/save-file.js';
import { useServices } from '../services/services.js';
import styles from './ladder-section.module.css';
import { messagesPath } from './use-messages.js';
import { texts } from '../texts/ladder.js';

interface DownloadsProps {
  readonly callId: string;
  readonly legs: 'all' | undefined;
}

type Form = 'pcap' | 'txt';

/** Saves the messages as a file, for Wireshark or to read. */
export function Downloads({ callId, legs }: DownloadsProps): ReactNode {
  const { api } = useServices();
  const [problem, setProblem] = useState<string>();
  async function save(form: Form): Promise<void> {
    try {
      const answer = await api.open(`${messagesPath(callId)}.${form}`, { query: { legs } });
      saveFile(`call-${callId.replaceAll(/[^\w.-]/g, '_')}.${form}`, await answer.blob());
      setProblem(undefined);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  }
  return (
    <div className={styles['downloads']}>
      <button className="button" type="button" onClick={() => void save('pcap')}>
        {texts.downloadPcap}
      </button>
      <button className="button" type="button" onClick={() => void save('txt')}>
        {texts.downloadText}
      </button>
      {problem !== undefined && <span role="alert">{problem}</span>}
    </div>
  );
}
