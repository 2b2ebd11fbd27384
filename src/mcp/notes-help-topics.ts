/** What `help` knows. Examples are whole calls with JSON for arguments; a test runs every one of them. */
export interface HelpTopic {
  topic: string;
  /** What people call it. */
  words: readonly string[];
  workflow: readonly string[];
  examples: readonly { description: string; code: string }[];
}

const CREATING: HelpTopic = {
  topic: 'Creating Knowledge Entries',
  words: [
    'create',
    'write',
    'new',
    'add',
    'note',
    'entry',
    'zettel',
    'begin',
    'start',
    'zettelkasten',
    'update',
    'delete',
  ],
  workflow: [
    'Use search() with source "local" to find similar notes: better to update one than to write it twice.',
    'Use manage() with action "create": one idea for each note, a title that says it, content in Markdown without front matter.',
    'Leave category out to have the folder of its entry_type; location "user" keeps it for yourself in all projects.',
    'Use link() to connect it with related notes, or write [[zettel_id]] in its content.',
    'Later use manage() with action "update" for what changes, "rename" for another id (links follow), "delete" with confirm.',
  ],
  examples: [
    {
      description: 'Create a pattern in the project',
      code: 'manage({"action": "create", "zettel_id": "045-dmarc-policy", "title": "DMARC Policy", "content": "# DMARC Policy\\n\\nBegin with p=none. See [[043-spf-records]].", "entry_type": "pattern", "tags": ["email"]})',
    },
    {
      description: 'Change its title and its tags, nothing else',
      code: 'manage({"action": "update", "zettel_id": "042-email-deliverability", "title": "Email Deliverability in Practice", "tags": ["email", "deliverability"]})',
    },
    {
      description: 'Give it another id; links to it follow',
      code: 'manage({"action": "rename", "zettel_id": "042-email-deliverability", "new_zettel_id": "042-email-reputation"})',
    },
    {
      description: 'Delete one, after the user agreed',
      code: 'manage({"action": "delete", "zettel_id": "043-spf-records", "confirm": true})',
    },
  ],
};

const SEARCHING: HelpTopic = {
  topic: 'Searching and Reading',
  words: ['search', 'find', 'query', 'read', 'get', 'filter', 'look'],
  workflow: [
    'Use search() with plain words; source is required, "local" first.',
    'Narrow by category (with the folders below), entry_type and tags (a note must have all of them).',
    'Use get() with the zettel_id for the whole of it; include_relationships and include_backlinks show what it is connected with.',
    'source_location says where it came from: say so when you use it.',
  ],
  examples: [
    {
      description: 'Search what is on this machine',
      code: 'search({"query": "email deliverability", "source": "local"})',
    },
    {
      description: 'Only patterns with a tag',
      code: 'search({"query": "email", "source": "local", "entry_type": "pattern", "tags": ["email"], "limit": 5})',
    },
    {
      description: 'Read a note with its connections',
      code: 'get({"zettel_id": "042-email-deliverability", "source": "local", "include_relationships": true, "include_backlinks": true})',
    },
  ],
};

const SOURCES: HelpTopic = {
  topic: 'Sources: Project, User, Registry',
  words: ['source', 'local', 'tier', 'location', 'offline', 'network', 'source_location'],
  workflow: [
    'source "local" looks in the project (.ai/knowledge, in its git), then in the user\'s own notes (~/.knowledge-kiwi): on this machine, without network.',
    'source "registry" asks what the team shares, a PostgreSQL server: a network call, so it is never made unless you name it.',
    'source ["local", "registry"] does both; what is local comes first, and get() asks the registry only for what is not local.',
    "With the same id in project and user, the project's is taken.",
  ],
  examples: [
    { description: 'On this machine only', code: 'get({"zettel_id": "042-email-deliverability", "source": "local"})' },
    {
      description: 'Here and in the registry',
      code: 'search({"query": "email", "source": ["local", "registry"]})',
    },
  ],
};

const LINKING: HelpTopic = {
  topic: 'Linking Notes',
  words: ['link', 'unlink', 'relationship', 'backlink', 'connect', 'wikilink', 'reference', 'related', 'supersede'],
  workflow: [
    'Write [[zettel_id]] in the content: that is a relationship of type references.',
    'Use link() for the others: contradicts, extends, implements, supersedes, depends_on, related, example_of.',
    "The end that a link starts from is written, in its front matter; say location or to_location when an end is in the user's notes or in the registry.",
    'Use link() with action "get_relationships" for what a note is connected with, both ways.',
    'A wikilink is taken away by changing the content, any other by action "unlink".',
  ],
  examples: [
    {
      description: 'One note extends another',
      code: 'link({"action": "link", "from_zettel_id": "042-email-deliverability", "to_zettel_id": "043-spf-records", "relationship_type": "extends"})',
    },
    {
      description: 'What it is connected with',
      code: 'link({"action": "get_relationships", "zettel_id": "042-email-deliverability"})',
    },
    {
      description: 'Take the link away again',
      code: 'link({"action": "unlink", "from_zettel_id": "042-email-deliverability", "to_zettel_id": "043-spf-records", "relationship_type": "extends"})',
    },
  ],
};

const COLLECTIONS: HelpTopic = {
  topic: 'Collections',
  words: ['collection', 'group', 'topic', 'learning path', 'archive', 'list', 'order'],
  workflow: [
    'Use link() with action "create_collection": a name, the zettel_ids in their order, and a type (topic, project, learning_path, reference, archive).',
    'It becomes a Markdown file in the folder collections, a list of [[links]] that people can edit; location "registry" shares it.',
    'Use "list_collections" and "get_collection" (by id or name) to read them.',
  ],
  examples: [
    {
      description: 'Group what belongs together',
      code: 'link({"action": "create_collection", "name": "Email Infrastructure", "description": "All about email setup", "zettel_ids": ["042-email-deliverability", "043-spf-records"], "collection_type": "topic"})',
    },
    { description: 'Read it', code: 'link({"action": "get_collection", "collection": "Email Infrastructure"})' },
    { description: 'Which there are', code: 'link({"action": "list_collections"})' },
  ],
};

const PUBLISHING: HelpTopic = {
  topic: 'Publishing to the Registry',
  words: ['publish', 'share', 'team', 'version', 'semver', 'upload', 'release'],
  workflow: [
    'Ask the user: what is published is seen by the team, and every version is kept.',
    'Use manage() with action "publish"; without version the next patch is taken, 1.0.0 for the first.',
    'status "conflict" means that the registry has something that this text is not based on: show the user `difference`. See Conflicts.',
    'The version that it was published as is written into its front matter.',
  ],
  examples: [
    {
      description: 'Publish the next version',
      code: 'manage({"action": "publish", "zettel_id": "042-email-deliverability"})',
    },
    {
      description: 'Publish as a version of your choice',
      code: 'manage({"action": "publish", "zettel_id": "042-email-deliverability", "version": "2.0.0", "location": "project"})',
    },
  ],
};

const DOWNLOADING: HelpTopic = {
  topic: 'Downloading from the Registry',
  words: ['download', 'destination', 'fetch', 'copy', 'user', 'project'],
  workflow: [
    'Use get() with source "registry" and destination "user", "project" or both.',
    '`downloads` says what became of each: written, unchanged, or conflict where another text stands there, which stays.',
    'version asks for an older one; the latest is taken unless told.',
  ],
  examples: [
    {
      description: 'Keep a copy among your own notes',
      code: 'get({"zettel_id": "042-email-deliverability", "source": "registry", "destination": "user"})',
    },
  ],
};

const CONFLICTS: HelpTopic = {
  topic: 'Conflicts',
  words: ['conflict', 'difference', 'overwrite', 'changed', 'merge', 'confirm', 'newer'],
  workflow: [
    'A file that was changed since you got it is not overwritten: get() it again and decide anew. Give content_hash back with an update to be sure.',
    'publish with status "conflict" changed nothing: get() the registry\'s text, bring both together with an update, and publish; or, if the user says so, publish with confirm.',
    'A download with status "conflict" changed nothing: show `difference`; the user can take the registry\'s text in Kaizen.',
  ],
  examples: [
    {
      description: 'See what the registry has',
      code: 'get({"zettel_id": "042-email-deliverability", "source": "registry"})',
    },
    {
      description: 'Publish over it, when the user says so',
      code: 'manage({"action": "publish", "zettel_id": "042-email-deliverability", "confirm": true})',
    },
  ],
};

const FORMAT: HelpTopic = {
  topic: 'Format of a Note',
  words: ['format', 'front matter', 'frontmatter', 'yaml', 'markdown', 'file', 'field', 'category', 'folder', 'id'],
  workflow: [
    'A note is a Markdown file <category>/<zettel_id>.md with YAML front matter: zettel_id, title, entry_type; optional tags, source_type, source_url, created_at, updated_at, version.',
    'entry_type is one of api_fact, pattern, concept, learning, experiment, reference, template, workflow; each has its folder (apis, patterns, …), and other folders may be named.',
    'source_type is one of youtube, docs, experiment, manual, chat, book, article, course.',
    'Ids are safe file names: letters, digits, dots, underscores and hyphens; they differ by more than case.',
    'content is what stands below the front matter; what else the front matter holds stays as it is.',
  ],
  examples: [
    {
      description: 'A note with all its fields, in a folder of its own',
      code: 'manage({"action": "create", "zettel_id": "046-dkim-rotation", "title": "DKIM Key Rotation", "content": "Rotate keys twice a year.", "entry_type": "workflow", "category": "email/dkim", "tags": ["email", "dkim"], "source_type": "docs", "source_url": "https://example.com/dkim", "location": "user"})',
    },
  ],
};

const MIGRATION: HelpTopic = {
  topic: 'Migrating from knowledge/base',
  words: [
    'migrate',
    'migration',
    'old',
    'convert',
    'knowledge/base',
    'sync',
    'layout',
    'sync_to_database',
    'create_entry',
  ],
  workflow: [
    'The user runs it, not an agent: `kaizen notes migrate` shows what it would do, or the command Migrate Notes in VS Code.',
    'Files of knowledge/base become notes in .ai/knowledge with their ids and fields; the originals stay.',
    'The nine old tools are five now: create_entry, update_entry, delete_entry and sync_to_database are manage(); get_entry and sync_from_database are get(); search_knowledge is search(); link_entries and create_collection are link().',
  ],
  examples: [
    {
      description: 'See afterwards what is there',
      code: 'search({"query": "email", "source": "local", "limit": 100})',
    },
  ],
};

/** The first one is what to begin with. */
export const HELP_TOPICS: readonly HelpTopic[] = [
  CREATING,
  SEARCHING,
  SOURCES,
  LINKING,
  COLLECTIONS,
  PUBLISHING,
  DOWNLOADING,
  CONFLICTS,
  FORMAT,
  MIGRATION,
];
