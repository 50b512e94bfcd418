/** What the demo asks, and of whom. The data is in `examples/demo`. */

export type DemoFeatureName = 'chat-session' | 'book-gen' | 'agent-run';

export interface DemoFeature {
  readonly name: DemoFeatureName;
  readonly scopeType: string;
  readonly title: string;
  readonly intent: string;
  readonly query: string;
  readonly inputs: Readonly<Record<string, string>>;
  /** Files and folders below `examples/demo`, in the order in which they are ingested. */
  readonly data: readonly string[];
  readonly readsDocuments: boolean;
  /** What to see in the context. */
  readonly lookFor: string;
  /** Words of the context that show it: the excerpt holds each of them. */
  readonly telling: readonly string[];
}

export const DEMO_FEATURES: readonly DemoFeature[] = [
  {
    name: 'chat-session',
    scopeType: 'chat_session',
    title: 'Planning scheduled exports',
    intent: 'follow_up',
    query: 'When do we launch, and where are the files kept?',
    inputs: {},
    data: ['chat-session/conversation.jsonl', 'chat-session/memories.json'],
    readsDocuments: true,
    lookFor:
      'Look for: the launch on 17 March and one bucket. The facts that these replaced are not ' +
      'served.',
    telling: ['17 March', 'in one bucket'],
  },
  {
    name: 'book-gen',
    scopeType: 'book',
    title: 'The Tide Clerk',
    intent: 'write_chapter',
    query: "Where does Edda's missing pen turn up?",
    inputs: {},
    data: ['book-gen/notes.jsonl', 'book-gen/chapters', 'book-gen/memories.json'],
    readsDocuments: false,
    lookFor:
      'Look for: the coat of Olav Brekke, and a target of 80,000 words, which was 70,000 before.',
    telling: ['his coat', 'target_word_count = 80000'],
  },
  {
    name: 'agent-run',
    scopeType: 'agent_run',
    title: 'Renew the lease while uploading',
    intent: 'next_step',
    query: 'What is left before the change can be reviewed?',
    inputs: {},
    data: ['agent-run/run.jsonl', 'agent-run/memories.json'],
    readsDocuments: true,
    lookFor: 'Look for: the suite three times, and the lessons on leases and clocks.',
    telling: ['suite three times', 'real clock', 'lease must be renewed'],
  },
];

/** A decision that changed on 28 January. */
export const PAST_QUESTION = {
  intent: 'follow_up',
  query: 'Where are the files kept?',
  asOf: '2026-01-20T12:00:00Z',
  layer: 'open_set',
} as const;
