export interface StormOptions {
  /** Of a user who may make databases and end the sessions of others. */
  readonly url: string;
  /** A migrated database to clone. */
  readonly template: string;
  readonly manifests: string;
  readonly writers: number;
  readonly readers: number;
  /** Of the storm itself. */
  readonly ms: number;
  /** Of sessions, over the whole storm. */
  readonly kills: number;
  /** Ends the server and starts it again, as often as `restarts` says; null ends all sessions at once instead. */
  readonly restart: (() => Promise<void>) | null;
  readonly restarts: number;
  readonly isLineage: boolean;
  readonly onProgress?: (text: string) => void;
}

export interface StormResult {
  readonly acked: number;
  readonly composed: number;
  /** Lines of each export that was taken meanwhile. */
  readonly exported: readonly number[];
  readonly kills: number;
  readonly restarts: number;
  readonly failures: Readonly<Record<string, number>>;
  readonly writesPerSecond: number;
  readonly problems: readonly string[];
}

export function storm(options: StormOptions): Promise<StormResult>;
