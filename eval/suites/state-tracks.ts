/** The states of `changing-state.ts`: written for this repository. `%` stands for the value. */
import type { Side } from '../suite.ts';

export interface StateTrack {
  readonly key: string;
  readonly side: Side;
  /** What is asked about, as a noun phrase. */
  readonly asks: string;
  /** Sentences that tell a new value. */
  readonly says: readonly string[];
  /** In the order in which they held, separated by `; `. */
  readonly values: string;
}

export const STATE_TRACKS: readonly StateTrack[] = [
  {
    key: 'gym',
    side: 'dev',
    asks: 'the gym that Ravi goes to',
    says: [
      'I signed up at % this morning.',
      'Training at % from this week on, the old place got too crowded.',
      'My new gym is %, first class was great.',
      'Switched gyms again: % has a pool.',
    ],
    values:
      'Ironworks; the university hall; Pulse Studio; the rowing club; Boulder Barn; FitBox; the YMCA; Harbour Gym; Summit Climbing; Cedar Sports; the community centre',
  },
  {
    key: 'car',
    side: 'dev',
    asks: 'the car that Ravi drives',
    says: [
      'I picked up the car yesterday, a %.',
      'We sold the old car; I drive a % from now on.',
      'My car is a % since the weekend.',
      'Traded the car in for a %.',
    ],
    values:
      'red Polo; Kangoo; second-hand Volvo; Leaf; Fiat Panda; Transit van; Skoda; Model 3; Berlingo; Yaris; blue Dacia',
  },
  {
    key: 'lang',
    side: 'dev',
    asks: 'the programming language of the billing service',
    says: [
      'We moved the billing service over to %.',
      'The billing service is being rewritten: it is all % since Friday.',
      'Billing runs on % after the last sprint.',
      'Good news, the billing service ships in % from today.',
    ],
    values: 'Perl; PHP; Java; Scala; Ruby; Go; Elixir; Kotlin; Python; C#; Rust',
  },
  {
    key: 'school',
    side: 'dev',
    asks: 'the school of Ravi’s daughter',
    says: [
      'My daughter starts at % on Monday.',
      'She changed schools once more, it is % for her.',
      'Our daughter goes to % since we moved.',
      'The school moved her to %.',
    ],
    values:
      'Oakfield Primary; the Montessori on Lark Street; St. Anne’s; the forest school; Riverside Primary; the bilingual school; Elm Grove; the Waldorf school; Northgate; the school behind the mill; Kingsway Academy',
  },
  {
    key: 'hobby',
    side: 'dev',
    asks: 'the instrument that Ravi is learning',
    says: [
      'I started lessons on the %.',
      'Gave up the last one; it’s the % for me.',
      'My teacher put me on the %.',
      'I am learning the % since last week.',
    ],
    values:
      'clarinet; ukulele; cello; accordion; harmonica; banjo; trumpet; piano; viola; flute; drums',
  },
  {
    key: 'deploy',
    side: 'dev',
    asks: 'the region where the search cluster runs',
    says: [
      'The search cluster was moved to %.',
      'We run the search cluster in % since the outage.',
      'Search went live in % last night.',
      'Our search cluster has a new home: %.',
    ],
    values:
      'Ohio; Dublin; Frankfurt; Paris; Stockholm; Milan; Zurich; Warsaw; Mumbai; Tokyo; Singapore',
  },
  {
    key: 'diet',
    side: 'dev',
    asks: 'the diet that Ravi follows',
    says: [
      'My doctor put me on a % diet.',
      'I am eating % since Sunday.',
      'Changed my diet again, % this time.',
      'Following a % plan, wish me luck.',
    ],
    values:
      'low-salt; vegan; keto; gluten-free; pescatarian; paleo; low-sugar; vegetarian; high-protein; dairy-free; Mediterranean',
  },
  {
    key: 'team',
    side: 'dev',
    asks: 'the team that Ravi works in',
    says: [
      'They moved me to the % team.',
      'I joined % at work, new desk and all.',
      'Reorg again, I am with % as of Monday.',
      'My team is % since the reorganisation.',
    ],
    values:
      'payments; growth; platform; search; mobile; infrastructure; support tools; analytics; security; onboarding; partnerships',
  },
  {
    key: 'bank',
    side: 'held_out',
    asks: 'the bank where Ravi has his account',
    says: [
      'I opened an account at %.',
      'Closed the old account; my salary goes to % from here on.',
      'We bank with % since the fees went up elsewhere.',
      'Moved all my money over to %.',
    ],
    values:
      'Lloyds; Monzo; Barclays; Santander; the credit union; Starling; Nationwide; Revolut; HSBC; Triodos; the co-operative bank',
  },
  {
    key: 'flat',
    side: 'held_out',
    asks: 'the neighbourhood where Ravi lives',
    says: [
      'We got the keys to the flat, I live in % as of tonight.',
      'The move to % is done, I live out of boxes.',
      'Found a cheaper neighbourhood, moved to % on Saturday.',
      'Greetings from my new neighbourhood, %.',
    ],
    values:
      'Easton; Clifton; the harbour quarter; Bedminster; Southville; Redland; Montpelier; Totterdown; Hotwells; St. Pauls; Fishponds',
  },
  {
    key: 'oncall',
    side: 'held_out',
    asks: 'the person who leads the mobile release',
    says: [
      '% took over the mobile release.',
      'The mobile release has a new lead, %.',
      'From this sprint on % leads the mobile release.',
      'They asked % to run the mobile release.',
    ],
    values: 'Tomasz; Beatriz; Hugo; Anneke; Farid; Lin; Oksana; Pablo; Greta; Samir; Yuki',
  },
  {
    key: 'tea',
    side: 'held_out',
    asks: 'the drink that Ravi has for breakfast',
    says: [
      'Breakfast is % for me since last week.',
      'I swapped my morning cup for %.',
      'My mornings start with % these days, my stomach likes it.',
      'Given up on the rest, I drink % at breakfast.',
    ],
    values:
      'espresso; green tea; oat milk; hot chocolate; rooibos; cold brew; orange juice; kefir; matcha; mint tea; black tea',
  },
  {
    key: 'db',
    side: 'held_out',
    asks: 'the database behind the inventory system',
    says: [
      'The inventory system sits on % since the migration.',
      'We finished moving inventory to %.',
      'Inventory was switched over to % during the night.',
      'No more pain: our inventory system uses %.',
    ],
    values:
      'Access; MySQL; Oracle; MongoDB; Cassandra; DynamoDB; MariaDB; SQLite; CockroachDB; SQL Server; PostgreSQL',
  },
  {
    key: 'phone',
    side: 'held_out',
    asks: 'the phone that Ravi uses',
    says: [
      'My new phone arrived, a %.',
      'Broke the last phone, so I use a %.',
      'I use a % as my phone since my birthday.',
      'Work gave me a new phone, a %.',
    ],
    values:
      'Pixel 4; iPhone SE; Fairphone 3; Galaxy S10; Nokia flip phone; OnePlus; Xperia; Moto G; iPhone 13; Pixel 8; Fairphone 5',
  },
  {
    key: 'dog',
    side: 'held_out',
    asks: 'the vet of Ravi’s dog',
    says: [
      'We took the dog to % today, lovely people, staying there.',
      'Changed vets: % looks after our dog.',
      'The dog is a patient of % since spring.',
      'Our old vet retired, so it is % for the dog.',
    ],
    values:
      'Dr. Amsel; the clinic on Mill Road; Dr. Okafor; Paws and Claws; Dr. Lindqvist; the animal hospital; Dr. Brandt; Green Vets; Dr. Haddad; the practice by the station; Dr. Moreau',
  },
  {
    key: 'course',
    side: 'held_out',
    asks: 'the evening course that Ravi takes',
    says: [
      'Signed up for a course on Thursday evenings, %.',
      'My evening course is % this term.',
      'The last course was dull, so I am taking %.',
      'First evening of % was fun, I’ll stick with the course.',
    ],
    values:
      'pottery; Spanish; bread baking; creative writing; photography; first aid; bookkeeping; astronomy; woodwork; Italian cooking; sign language',
  },
];

/** Turns that tell nothing that is asked for. */
export const SMALL_TALK: readonly string[] = [
  'How was your weekend?',
  'The rain has not stopped here for days.',
  'I finally finished that thick novel.',
  'Haha, that sounds just like you.',
  'My sister is visiting next month.',
  'We had soup and far too much bread.',
  'The train was late again, forty minutes.',
  'Did you watch the match?',
  'I should really clean the balcony.',
  'That is good to hear, tell me more.',
  'Sorry, I was in a meeting.',
  'My back hurts from the garden.',
  'We are planning a trip to the lakes.',
  'The neighbours have a puppy, it barks all night.',
  'I burnt the rice, as always.',
  'Let us talk on Sunday, I have to run.',
  'Thanks for the photos, they are lovely.',
  'Work is busy, but fine.',
  'I slept badly, too much noise in the street.',
  'Oh, nice, how do you like it so far?',
  'Good for you!',
  'The bakery on the corner has closed.',
  'I lost my umbrella for the third time.',
  'Have you heard from Marta?',
  'It was my uncle’s seventieth birthday.',
  'I could sleep for a week.',
  'The museum was better than I thought.',
];
