/**
 * Tools by what they are, as data: who switched to one of them uses no other of its kind any more.
 * Only names that are of one kind for sure; spellings of one tool are joined by `=`.
 */
const KINDS: readonly string[] = [
  'vim|vi|neovim=nvim|emacs=gnu emacs|doom emacs|spacemacs|helix|vs code=vscode=visual studio code|vscodium|sublime=sublime text|zed|nano|atom|cursor|windsurf|intellij=intellij idea|pycharm|webstorm|goland|rider|notepad++|kakoune|textmate|bbedit|eclipse|xcode',
  'gmail=google mail|proton mail=protonmail|fastmail|outlook=hotmail=outlook.com|yahoo mail=yahoo|icloud mail|tutanota=tuta|zoho mail|gmx|posteo|mailbox.org|web.de',
  'chrome=google chrome|firefox|safari|edge=microsoft edge|brave|opera|vivaldi|arc|chromium|librewolf|zen browser|tor browser|internet explorer',
  'google=google search|duckduckgo=duck duck go|bing|kagi|ecosia|startpage|qwant|brave search',
  'windows=windows 10=windows 11|macos=mac os|linux',
  'windows=windows 10=windows 11|macos=mac os|ubuntu|fedora|debian|arch=arch linux|mint=linux mint|nixos|manjaro|opensuse|gentoo|pop os|chromeos|freebsd',
  'iphone=ios|android',
  '1password|bitwarden|lastpass|keepass|keepassxc|dashlane|proton pass|nordpass|icloud keychain',
  'obsidian|notion|evernote|onenote|apple notes|logseq|roam=roam research|bear|joplin|google keep|simplenote|standard notes',
  'todoist|things=things 3|ticktick|omnifocus|microsoft to do|google tasks|apple reminders|remember the milk',
  'bash|zsh|fish|nushell=nu|powershell|ksh',
  'iterm=iterm2|alacritty|kitty|wezterm|ghostty|warp|gnome terminal|windows terminal|konsole',
  'gnome|kde=kde plasma=plasma|xfce|cinnamon|i3|sway|hyprland|awesome|bspwm|dwm|xmonad',
  'spotify|apple music|tidal|deezer|youtube music|qobuz|amazon music|soundcloud',
  'npm|yarn|pnpm|bun',
  'github|gitlab|bitbucket|codeberg|gitea|forgejo|sourcehut',
  'google maps|apple maps|waze|organic maps|osmand',
  'figma|sketch|penpot|adobe xd',
  'whatsapp|signal|telegram|threema',
  'chatgpt|claude|gemini|deepseek|perplexity|grok|mistral',
  'qwerty|qwertz|azerty|dvorak|colemak|workman|bepo',
  'kindle|kobo|tolino|nook',
  'nordvpn|expressvpn|mullvad|proton vpn=protonvpn|surfshark|private internet access',
  'dropbox|google drive|onedrive|icloud drive|nextcloud',
  'jira|linear|asana|trello|clickup|youtrack|shortcut',
  'quickbooks|xero|freshbooks|sage',
  'vodafone|t-mobile|o2|verizon|telekom',
  'postgresql=postgres|mysql|mariadb|sqlite|mongodb=mongo|dynamodb|cassandra|oracle database|sql server=mssql|cockroachdb|firestore|couchdb',
  'aws=amazon web services|azure=microsoft azure|gcp=google cloud|hetzner|scaleway|ovh=ovhcloud|digitalocean=digital ocean|linode|vultr|heroku|fly.io|oracle cloud|ibm cloud|ionos',
];

/** What a kind is called, by the first of its tools. */
const CALLED: ReadonlyMap<string, string> = new Map([
  ['vim', 'editor'],
  ['postgresql', 'database'],
  ['chrome', 'browser'],
  ['windows', 'operating system'],
  ['aws', 'cloud provider'],
  ['1password', 'password manager'],
  ['bash', 'shell'],
  ['figma', 'design tool'],
]);

interface Tool {
  readonly kinds: ReadonlySet<number>;
  /** The first of its spellings. */
  readonly is: string;
}
/** `T-Mobile` and `t mobile` are one name. */
const plainOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const TOOLS: ReadonlyMap<string, Tool> = toolsIn(KINDS);
function toolsIn(lists: readonly string[]): ReadonlyMap<string, Tool> {
  const tools = new Map<string, { readonly kinds: Set<number>; readonly is: string }>();
  for (const [kind, list] of lists.entries())
    for (const spellings of list.split('|').map((each) => each.split('=').map(plainOf)))
      for (const name of spellings) {
        const tool = tools.get(name) ?? { kinds: new Set<number>(), is: spellings[0] ?? name };
        tool.kinds.add(kind);
        tools.set(name, tool);
      }
  return tools;
}

/** The slot of a tool; null = its kind has no name. */
export function slotOfTool(name: string): string | null {
  const kinds = [...(TOOLS.get(plainOf(name))?.kinds ?? [])];
  const names = new Set(kinds.map((kind) => CALLED.get(KINDS[kind]?.split(/[|=]/)[0] ?? '')));
  const [only] = names;
  return names.size === 1 ? (only ?? null) : null;
}

export const isTool = (name: string): boolean => TOOLS.has(plainOf(name));

/** Whether they are of one kind, and not the same tool. */
export function isOtherTool(name: string, before: string): boolean {
  const [tool, was] = [TOOLS.get(plainOf(name)), TOOLS.get(plainOf(before))];
  if (!tool || !was || tool.is === was.is) return false;
  return [...tool.kinds].some((kind) => was.kinds.has(kind));
}

/** All names of what is of the kinds of a tool, for a search. */
export function toolsLike(name: string): readonly string[] {
  const kinds = TOOLS.get(plainOf(name))?.kinds ?? new Set<number>();
  return KINDS.flatMap((list, kind) => (kinds.has(kind) ? list.split(/[|=]/) : []));
}
