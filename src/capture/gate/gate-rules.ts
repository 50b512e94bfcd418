/**
 * What the gate goes by, as data: phrases of words in lower case. The classes are those of the
 * taxonomy for agent memory: durable preference, check before action, lookup, time-bounded state,
 * historical artifact, workflow procedure.
 */
const list = (text: string): readonly string[] =>
  text
    .split('|')
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '');

/** Taken off the front before anything else is read. */
export const LEAD_INS = list(
  'um|uh|er|erm|uhm|fwiw|ftr|tbh|just fyi|just so u know|psa|psst|good news|bad news|sad news|well|so|and|but|oh|ok|okay|yeah|yes|yep|i told you before|i already told you|i told you already|like i told you|as i told you|hey|hi|hello|also|btw|by the way|anyway|wow|hmm|haha|honestly|to be honest|as i said|like i said|just so you know|just to let you know|fyi|for the record|fun fact|quick note|one more thing|no worries|sure|right|also note that|and also|plus|thanks|thank you|please|pls|plz|you know|lately|recently|these days|nowadays|currently|at the moment|right now|in general|generally|usually|as a rule|personally|since you asked|in case you wonder',
);

/** Asked to be remembered: what follows is kept unless it is junk. */
export const REMEMBER = list(
  "remember that|remember|pls remember that|pls remember|plz remember|just remember that|please remember|please remember that|don't forget that|don't forget|do not forget|keep in mind that|keep in mind|bear in mind that|bear in mind|note that|take note that|take note|make a note that|make a note|for future reference|note to self|save this|store this",
);

export const CORRECTIONS = list(
  "actually|correction|i was wrong|i told you wrong|i said it wrong|i had that wrong|i got that wrong|told you wrong|i made a mistake|my mistake|i misspoke|i meant|i meant to say|that's wrong|that is wrong|that's not right|that's incorrect|that's not true|that is not true|that isn't true|that's false|not anymore|scratch that|sorry i meant|no it's|no it is|no wait it's|no wait it is|wait it's|sorry it's|make that|sorry typo|typo|ugh i meant|argh i meant|i mean|no i mean|sorry i mean|no i meant|no sorry i meant|oops i meant|to correct myself|i need to correct|let me correct|small correction|that should be|it should be|should be|that should have been|it should have been|should have been|that should say|it should say|i should have said|change that to|i was wrong it's|to correct myself it's|that was wrong it's",
);

/** After these a few words are enough: `I meant Rome`. */
export const MEANT = list(
  "correction|i told you wrong|i said it wrong|i had that wrong|i got that wrong|told you wrong|i meant|i meant to say|sorry i meant|no i meant|no sorry i meant|oops i meant|small correction|i misspoke|scratch that|make that|sorry typo|typo|ugh i meant|argh i meant|i mean|no i mean|sorry i mean|no it's|no it is|no wait it's|no wait it is|wait it's|sorry it's|that should be|it should be|should be|that should have been|it should have been|should have been|that should say|it should say|i should have said|change that to|i was wrong it's|to correct myself it's|that was wrong it's",
);
/** Deny what was said just before; by themselves they mean nothing. */
export const DENIALS = list(
  'no|nope|wrong|no wait|wait|wait no|oops|sorry|sorry no|no sorry|my bad',
);

/** What went wrong, and what to do from now on. */
export const LESSONS = list(
  'lesson|lesson learned|lessons learned|lesson learnt|takeaway|key takeaway|post mortem|postmortem|root cause|the root cause was|retro|what we learned|what i learned|we learned that|i learned that|turns out|it turned out|moral of the story|gotcha|what went wrong|what broke|what bit us|what we missed|why it failed',
);
export const NEXT_TIME = list(
  'next time|in the future|in future|from now on|going forward|moving forward|henceforth|whenever|every time|each time',
);

/** Check before action: imperatives of all times. */
export const CHECK_STARTS = list(
  "never|always|don't ever|do not ever|don't|do not|avoid|make sure|make sure to|be sure to|ensure|ensure that|verify|double check|check that|under no circumstances|only ever|no one should|nobody should|everyone must|everybody must|you must|you must never|you must always|you should always|you should never|we always|we never|we must|we should never|we should always|we don't|we do not|before you|before any|before every|before each|before deploying|before merging|before committing|before pushing|before running|before editing|before changing|before releasing|after every|after each|after any|must|must not|stop",
);
/** With these in it, an imperative is meant for all times. */
export const ALL_TIMES = list(
  'always|never|every time|each time|whenever|before|after every|after each|in general|by default|from now on|must|unless|ever|any|without|until|only|at all|again|again in|in production|on production|on main|on friday|on fridays|in the repo|in this repo|in this project|for this project|in our|secrets|credentials|production',
);

/** What makes a rule of `we always` and `we never`. */
export const ALL_TIMES_OF_WORK = list(
  'every time|each time|whenever|before|after every|after each|in general|by default|from now on|must|unless|without|until|in production|on production|on main|on friday|on fridays|in the repo|in this repo|in this project|for this project|secrets|credentials|production|deploy|commit|merge|push|tests|code|review|reviews|branch|release',
);

export const QUESTION_STARTS = list(
  "what|what's|who|who's|whose|whom|where|where's|when|when's|why|how|how's|which|can you|could you|would you|will you|can u|could u|would u|will u|do u|did u|do you|did you|does it|does he|does she|does that|is it|is there|is that|is this|are you|are there|are they|have you|has it|has he|has she|should i|should we|shall we|may i|can i|could i|am i|any idea|any chance|any plans|any tips|any thoughts",
);

export const UNCERTAIN = list(
  "maybe|perhaps|might|might be|possibly|probably|i'm not sure|i am not sure|not sure|i guess|i suppose|suppose|supposing|imagine|imagine that|let's say|hypothetically|what if|if i were|if i was|if i had|if we had|if you were|would have|could have|should have|i wonder|i'm wondering|thinking of|thinking about|considering|i think i might|i may|we may|could be|seems|seems like|apparently|i heard|rumor|rumour|somebody said|someone said|they say|just kidding|kidding|joking|i wish|if only|pretend|role play|roleplay|in the story|in my novel|in my dream|i dreamed|i dreamt|for example|e g|let's pretend|as if",
);

/** What the speaker wants done now. */
export const TASK_STARTS = list(
  "can you|could you|please|help me|let's|let us|let me|show me|tell me|give me|write|rewrite|fix|add|remove|delete|create|implement|refactor|update|generate|explain|summarize|summarise|translate|run|rerun|try|look at|look into|take a look|find|search|check|open|close|send|draft|review|compare|list|make|change|rename|move|convert|build|test|debug|investigate|start|continue|go ahead|go on|do it|do that|proceed|keep going|wait|hold on|i want you to|i need you to|i'd like you to|i would like you to|i need help|i need a|i need to|i have to|i've got to|i gotta|we need to|we have to|i want to|i'd like to|i would like to|i'm trying to|i am trying to|i'm looking for|i am looking for|i'm going to|i am going to|i'll|i will|we'll|we will|gonna|undo|revert|ignore|skip|use the|put|set|print|install|upgrade|merge|commit|push|deploy|ship|paste|read",
);

/** Work that is done or under way. */
export const STATUS_STARTS = list(
  "done|finished|fixed|merged|deployed|shipped|released|pushed|committed|completed|closed|resolved|reverted|rebased|upgraded|bumped|tests pass|all tests pass|the tests pass|tests are green|all green|ci is green|ci passed|the build|build|working on|still working on|i'm working on it|in progress|on it|wip|looking into|i'm looking at|i am looking at|looking at|running|still running|started|starting|i just|we just|just|today we|today i|this morning we|this morning i|yesterday we|i fixed|i merged|i deployed|i pushed|i committed|i refactored|i renamed|i updated the|i added|i removed|i've added|i've fixed|i've updated|i've removed|i've merged|i've pushed|i've refactored|i have added|i have fixed|i have updated|we shipped|we deployed|we merged|we released|we fixed|we migrated|we finished|we completed|we closed|we upgraded|we rolled out|we rolled back|we launched|we refactored|we renamed|we removed|we added|we switched off|we've shipped|we've merged|we've deployed|the migration|the deploy|the release|the deployment|the pipeline|the job|i ran|i reran|we ran|it works|it passed|it failed|that worked|that fixed|pr|commit|branch",
);
/** Things of work: with one of these, what happened is an artifact. */
export const WORK_WORDS = list(
  'pr|pull request|commit|branch|release|deploy|deployed|deployment|merged|merge|shipped|rollback|hotfix|ticket|issue|sprint|build|pipeline|ci|tests|test|bug|bugs|refactor|migration|staging|version|changelog|feature flag|patch|endpoint|api|server|database|schema|module|function|file|files|script|config|dependency|dependencies|lint|linter|types|repo',
);

export const SMALL_TALK_STARTS = list(
  "thanks|thank you|thx|cheers|great|nice|cool|awesome|amazing|perfect|lovely|good|ok|okay|sure|yes|no|yep|nope|yeah|right|exactly|got it|i see|makes sense|sounds good|sounds great|sounds like|no problem|no worries|you're welcome|welcome|hello|hi|hey|good morning|good evening|good night|bye|goodbye|see you|talk to you|take care|congrats|congratulations|happy birthday|lol|haha|wow|omg|hmm|i agree|i understand|i know|i hope|i think|i feel|i believe|i bet|i can't wait|i'm glad|i am glad|i'm happy|i'm so happy|i'm sorry|i am sorry|sorry|i'm excited|i'm so excited|i'm proud|i'm tired|i'm so tired|i'm hungry|i'm bored|i'm back|i'm here|i'm fine|i'm good|i'm doing|i'm ok|i'm okay|i'm ready|i'm done|i'm sure|i'm stuck|i'm confused|i'm lost|i appreciate|i'd love|i would love|i missed you|that's|that is|that was|it's so|it was|it is|this is|these are|what a|how nice|can't wait|good luck|glad|keep|keep it up|you",
);

/** Marks of a durable preference. */
export const PREFERENCES = list(
  "i prefer|i'd prefer|i would prefer|i'd rather|i would rather|i like|i really like|i like to|i love|i really love|i enjoy|i really enjoy|i adore|i hate|i really hate|i dislike|i don't like|i do not like|i can't stand|i cannot stand|i don't want|i do not want|i never want|i always want|i want you to always|i want you to never|i am vegetarian|i'm vegetarian|i'm vegan|i am vegan|i don't eat|i do not eat|i don't drink|i do not drink|i only eat|i only drink|i avoid|my favorite|my favourite|my preferred|my preference|call me|address me as|i go by|i'm a fan of|i am a fan of|i'm a big fan of|i'm into|i am into|i'm fond of|i'm passionate about|i am passionate about|i'm not a fan of|we prefer|our preference|our convention|our style|our coding style|our house style|we use|we don't use|we write|we name|we format|we indent|we keep|we follow|we stick to|our team uses|our team prefers|the team prefers|our standard|the convention is|i use|i always use|i never use|i don't use|i usually|i always|i never|i tend to|i no longer like|i stopped eating|i stopped drinking|i quit|i gave up|i'm interested in|i am interested in|i always drink|i always eat|i can't eat|i can't have|i don't eat|i cannot eat|i care about|i need my|i've loved|i've enjoyed|i've preferred|i'm keen on|i'm obsessed with|i'm crazy about|i'm a huge fan of|i'm an avid",
);

/** Facts of the speaker that hold for long. */
export const PERSONAL = list(
  "my name is|my name's|i'm allergic|i am allergic|i'm not allergic|i am not allergic|i'm no longer allergic|i am no longer allergic|i'm intolerant|i am intolerant|i live|i'm living|i am living|i'm based|i am based|i moved|i've moved|i have moved|i relocated|i'm moving|i work|i'm working at|i am working at|i work as|i'm employed|i'm from|i am from|i was born|i grew up|i come from|i speak|i'm fluent|i am fluent|i study|i'm studying|i am studying|i studied|i graduated|i have a|i have an|i have two|i have three|i have four|i have one|i have no|i've got a|i've got two|i own|i drive|i'm married|i am married|i'm divorced|i'm single|i am single|i'm engaged|i got engaged|i got married|i adopted|i joined|i started at|i started a|i started working|i started learning|i started taking|i'm learning|i am learning|i've been learning|i switched|i changed jobs|i quit my job|i left|i retired|i'm retired|i am retired|i'm a|i am a|i'm an|i am an|i'm the|i am the|i no longer|i don't live|i don't work|i don't have|i do not live|i do not work|i do not have|i used to|my wife|my husband|my partner|my son|my daughter|my kids|my children|my brother|my sister|my mother|my mom|my mum|my father|my dad|my parents|my grandma|my grandmother|my grandpa|my grandfather|my girlfriend|my boyfriend|my gf|my bf|my fiance|my fiancee|my spouse|my twin|my twins|my baby|my nephew|my niece|my uncle|my aunt|my cousin|my roommate|my flatmate|my teacher|my grandparents|my grandson|my granddaughter|my family|my puppy|my horse|my dog|my cat|my pet|my dogs|my cats|my pets|my birthday|my address|my phone|my email|my e mail|my time zone|my timezone|my job|my role|my title|my manager|my boss|my team|my company|my employer|my startup|my shop|my car|my bike|my laptop|my computer|my phone number|my shoe size|my size|my height|my weight|my hometown|my native|my first language|my mother tongue|my blood type|my major|my degree|my school|my university|my goal|my hobby|my hobbies|my doctor|my dentist|my landlord|my therapist|my best friend|my friend|my neighbor|my neighbour|my colleague|our company|our team|our product|our customers|our office|our house|our apartment|our family|we live|we moved|we have a|we have two|we have three|i turned|i've been a|i've been with|i've been married|i've lived|i've worked|i've been working|i've been living|i have been|i play|i teach|i run a|i manage|i lead|i coach|i collect|i volunteer|i support|i rent|i commute|i wear|i suffer from|i take medication|i go to the gym|i wake up|i get up|i go to bed|i practice|i practise|i attend|our son|our daughter|our kids|our dog|our cat|we own|we rent|we're based|we are based|we're expecting|i'm expecting|i've known|i've had|we love|we enjoy|we like to|i'm taking a|i'm taking lessons|i'm training for|i'm volunteering|i'm teaching|i'm writing a",
);

/** What a person did or plans that a friend would remember. */
export const EVENTS = list(
  'went|visited|traveled|travelled|attended|bought|adopted|got|met|won|ran|hiked|camped|painted|signed|joined|started|finished|volunteered|performed|celebrated|planted|hosted|opened|launched|quit|lost|broke|moved|published|graduated|passed|applied|interviewed|donated|organized|organised|participated|took|gave|made|wrote|read|watched|played|cooked|baked|built|received|saw|told|decided|researched|came|flew|drove|sang|danced|created|found|joined|booked|gone|been|planning|going|registered|enrolled|competed|mentored|spoke|presented|injured|hurt|recovered|had|chose|learned|learnt|taught|ate|rode|sold|submitted|completed|reached|threw|caught|climbed|swam|stayed|began|beat|scored|ordered|picked|rented|discovered|explored|spent|listened|raised|earned|hit|dropped|enjoyed|invited|surprised|walked|skated|surfed|sailed|fished|repaired|fixed|interviewed|proposed|retired|divorced|transferred',
);

export const LOOKUPS = list(
  'is at|is located at|lives at|lives in|is hosted at|is hosted on|runs on port|listens on|is available at|the endpoint is|the url is|the address is|the path is|the command is|build command is|test command is|start command is|lint command is|deploy command is|the id is|the uuid is|the account id|the project id|the channel is|the port is|the repo is|the repository is|the docs are at|the dashboard is|is stored in|is defined in|are stored in|are in|can be found at|can be found in|is documented in|is run with|use the command|the hostname is|the host is|the version is|the extension is|the number is|the contact is|the runbook is|is configured in|is in the',
);

export const STATE_WORDS = list(
  'until|till|by the end of|by monday|by tuesday|by wednesday|by thursday|by friday|by saturday|by sunday|by tomorrow|by next week|due on|due by|is due|deadline|the deadline|this week|this sprint|this month|this quarter|next week|next month|code freeze|freeze|feature freeze|is blocked|are blocked|blocked by|blocked on|on vacation|on holiday|out of office|on leave|on call|away from|expires|expiring|temporarily|for the time being|for now|ttl',
);

/** A liking for what is at hand: gone with the moment. */
export const ABOUT_NOW = list(
  "i like that|i like this|i like it|i love it|i love that|i love this|i love you|i hate that|i hate it|i hate this|i like your|i love your|i like how|i love how|i like the idea|i like where|i don't like that|i don't like this|i don't like it|i don't want that|i don't want it|i don't want to bother|i use it|i use that|i use this|i always wanted|i always thought|i'm into it|i enjoyed|i love them|i hate them|i like them|i like to think|i don't want you|i don't want to|i never thought|i never knew|i never said|i quit the|i avoid it|we use it|we use that|we keep going|we keep getting|we keep seeing|my favorite one|my favourite one|my favorite ones|my favourite ones|my favorite was when|my favorite is when|my favourite was when|my favourite is when",
);

/** `I have a question`, `I have been thinking`: true for a minute. */
export const PASSING = list(
  "i have a question|i have a feeling|i have an idea|i have a problem|i have an issue|i have a bug|i have a doubt|i have a meeting|i have a few|i have a lot|i have a hard time|i have a headache|i have no idea|i have no clue|i have no time|i have no problem|i have no words|i have an error|i'm a bit|i'm a little|i'm a lot|i'm the one|i'm a mess|something|anything|i joined in|a funny story|a lot to learn|a lot of books|big plans|big events|i don't have to|i don't have any|i don't have time|i don't have big|have so much|had so much fun|working on for|on a project|a ton|i'm learning a lot|i'm learning so much|i'm living my|i'm living the|i'm a mix|i'm a wreck|i'm a sucker|i have a long way|i have a great|i have a good|i have a blast|i have a ball|my heart|my soul|my thoughts|my prayers|my advice|my mind|i'm the same|i'm an idiot|i left it|i left the|i left my|i left out|i used to think|i've had enough|i've had a|i have been thinking|i have been trying|i have been waiting|i have been looking|i have been busy|i'm a fan|my friend told|my bad|my point|my question|my guess|my code|my test|my tests|my build|my apologies|my mistake|i moved the|i moved it|i moved that|i moved this|i work on it|i switched it|i switched off|i switched on|i joined the call|i joined the meeting|i work around|our build|our tests|i study it|i have a typo|i have an exam question|my goal here|i have two questions|i have three questions|i have one question|i have another",
);

/** Work that is under way, whatever it is about. */
export const DOING = list(
  'i just|we just|just|done|fixed|merged|pushed|working on|still working on|looking at|running',
);

/** What a person is for long. */
export const STANDING = list(
  'years old|left handed|right handed|pregnant|diabetic|colour blind|color blind|deaf|blind|jewish|muslim|christian|catholic|buddhist|hindu|atheist|gay|lesbian|trans|bisexual|non binary|bilingual|dyslexic|autistic|self employed|unemployed|freelance|retired|married|single|divorced|widowed|german|french|spanish|italian|british|english|scottish|irish|welsh|american|canadian|mexican|brazilian|indian|chinese|japanese|korean|dutch|polish|swedish|norwegian|danish|finnish|russian|ukrainian|turkish|greek|portuguese|swiss|austrian|australian|vegetarian|vegan|colourblind|colorblind|asthmatic|an introvert|an extrovert|introvert|extrovert|a morning person|a night owl|an early bird|originally from|pescatarian|coeliac|celiac|lactose intolerant|gluten intolerant|gluten free|dairy free|hard of hearing|an only child|nonbinary|neurodivergent|epileptic|a single mum|a single mom|a single dad|a single parent|a single mother|a single father|teetotal|sober|halal|kosher|housebound',
);

export const HABITS = list(
  'every day|every morning|every evening|every night|every week|every weekend|every monday|every tuesday|every wednesday|every thursday|every friday|every saturday|every sunday|every summer|every winter|every year|each morning|each week|daily|on weekends|on weekdays|on mondays|on tuesdays|on wednesdays|on thursdays|on fridays|on saturdays|on sundays|most days|most mornings|once a week|twice a week|three times a week|once a month|before bed|after work|before work',
);
