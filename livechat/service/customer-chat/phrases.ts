// Phrases of the chat window by language. A language that is not here is shown in English.

const english = {
  chat_now: 'Chat now',
  leave_message: 'Leave a message',
  name: 'Name:',
  email: 'E-mail:',
  department: 'Department:',
  subject: 'Subject:',
  message: 'Message:',
  start_chat: 'Start the chat',
  write_message: 'Write a message…',
  rate_chat: 'Rate this chat',
  leave_comment: 'Leave a comment',
  chat_ended: 'The chat has ended',
  queue_position: 'Your place in the queue: %position%',
  transcript_sent: 'The transcript will be sent to %email%',
  agents_offline: 'Our agents are not available at the moment',
};
type Phrases = typeof english;

const languages: Record<string, Phrases> = {
  en: english,
  de: {
    chat_now: 'Jetzt chatten',
    leave_message: 'Nachricht hinterlassen',
    name: 'Name:',
    email: 'E-Mail:',
    department: 'Abteilung:',
    subject: 'Betreff:',
    message: 'Nachricht:',
    start_chat: 'Chat starten',
    write_message: 'Nachricht schreiben…',
    rate_chat: 'Diesen Chat bewerten',
    leave_comment: 'Kommentar hinterlassen',
    chat_ended: 'Der Chat ist beendet',
    queue_position: 'Ihr Platz in der Warteschlange: %position%',
    transcript_sent: 'Das Protokoll wird an %email% gesendet',
    agents_offline: 'Unsere Mitarbeiter sind gerade nicht erreichbar',
  },
  es: {
    chat_now: 'Chatear ahora',
    leave_message: 'Dejar un mensaje',
    name: 'Nombre:',
    email: 'Correo electrónico:',
    department: 'Departamento:',
    subject: 'Asunto:',
    message: 'Mensaje:',
    start_chat: 'Iniciar el chat',
    write_message: 'Escriba un mensaje…',
    rate_chat: 'Valore este chat',
    leave_comment: 'Deje un comentario',
    chat_ended: 'El chat ha terminado',
    queue_position: 'Su puesto en la cola: %position%',
    transcript_sent: 'La transcripción se enviará a %email%',
    agents_offline: 'Nuestros agentes no están disponibles en este momento',
  },
  pl: {
    chat_now: 'Rozpocznij czat',
    leave_message: 'Zostaw wiadomość',
    name: 'Imię:',
    email: 'E-mail:',
    department: 'Dział:',
    subject: 'Temat:',
    message: 'Wiadomość:',
    start_chat: 'Rozpocznij czat',
    write_message: 'Napisz wiadomość…',
    rate_chat: 'Oceń ten czat',
    leave_comment: 'Zostaw komentarz',
    chat_ended: 'Czat został zakończony',
    queue_position: 'Twoje miejsce w kolejce: %position%',
    transcript_sent: 'Zapis rozmowy zostanie wysłany na adres %email%',
    agents_offline: 'Nasi konsultanci są teraz niedostępni',
  },
};

/** The language whose phrases are shown for one. */
export const languageOf = (language: string): string => (Object.hasOwn(languages, language) ? language : 'en');

export const phrasesIn = (language: string): Phrases => languages[languageOf(language)]!;
